"""Rehearsal data. Camera traps: COCO-like JSON that passes through tables, split by camera location."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, write_bytes, write_csv, write_text

CATEGORIES = [
    (0, "empty"),
    (2, "tayassu pecari"),
    (3, "dasyprocta punctata"),
    (73, "bos indicus"),
    (115, "meleagris ocellata"),
    (372, "canis latrans"),
    (675, "misfire"),
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "cameras")
    uuid = lambda: "-".join(hex_id(r, n) for n in (8, 4, 4, 4, 12))
    locations = r.sample(range(1, 560), 14)
    images, annotations = [], []
    for location in locations:
        likely = r.choice(CATEGORIES)[0]
        for k in range(r.choice([2, 4, 6, 9, 15]) * scale):
            i = uuid()
            image = {
                "seq_num_frames": r.randrange(1, 11),
                "location": location,
                "datetime": f"2013-06-{r.randrange(1, 30):02d} 05:44:19.000",
                "id": i,
                "frame_num": k,
                "seq_id": uuid(),
                "width": r.choice([1920, 2048]),
                "height": 1080,
                "file_name": f"{i}.jpg",
            }
            if (
                r.random() < 0.05
            ):  # records with keys missing: the table turns the integers of that column into floats
                del image["width"], image["height"]
            images.append(image)
            note = {
                "count": r.randrange(1, 4),
                "image_id": i,
                "id": uuid(),
                "category_id": likely if r.random() < 0.6 else r.choice(CATEGORIES)[0],
            }
            if r.random() < 0.05:
                note["source"] = "caméra “B”"
            annotations.append(note)
            write_bytes(raw / "train" / f"{i}.jpg", jpeg(r))
    r.shuffle(images)
    r.shuffle(annotations)
    info = {
        "contributor": "Wildlife Conservation Society",
        "date_created": "2020-02-24 11:00:00",
        "version": "1.0",
        "year": 2020,
        "description": "Camera traps – iWildCam 2020",
        "url": "https://github.com/visipedia/iwildcam_comp",
    }
    train_categories = [
        {"id": c, "count": sum(a["category_id"] == c for a in annotations), "name": n}
        for c, n in CATEGORIES
    ]
    test_categories = [{"id": c, "name": n} for c, n in CATEGORIES]
    write_text(
        raw / "iwildcam2020_train_annotations.json",
        json.dumps(
            {
                "annotations": annotations,
                "images": images,
                "categories": train_categories,
                "info": info,
            }
        ),
    )
    test = []
    for _ in range(4):
        i = uuid()
        test.append(
            {
                "seq_num_frames": 3,
                "location": 555,
                "datetime": "2014-01-01 00:00:00.000",
                "id": i,
                "frame_num": 0,
                "seq_id": uuid(),
                "width": 1920,
                "height": 1080,
                "file_name": f"{i}.jpg",
            }
        )
        write_bytes(raw / "test" / f"{i}.jpg", jpeg(r))
    write_text(
        raw / "iwildcam2020_test_information.json",
        json.dumps(
            {"images": test, "categories": test_categories, "info": dict(info, version="test")}
        ),
    )
    write_text(
        raw / "iwildcam2020_megadetector_results.json",
        json.dumps(
            {
                "info": {"detector": "megadetector_v3"},
                "detection_categories": {"1": "animal"},
                "images": [
                    {
                        "id": m["id"],
                        "detections": [
                            {"category": "1", "bbox": [0.25, 0.1, 0.5, 0.3], "conf": 0.986}
                        ],
                        "max_detection_conf": 0.986,
                    }
                    for m in images + test
                ],
            },
            indent=1,
        ),
    )
    write_csv(
        raw / "sample_submission.csv",
        ["Id", "Category"],
        ([m["id"], r.randrange(676)] for m in test),
    )
