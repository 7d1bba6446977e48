"""Rehearsal data. Pressed plants: COCO-style metadata (not valid UTF-8), nested image folders, long-tailed species."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_bytes, write_csv

# images per species: 1 (train only), 2-4 (last one to test), 5 and more (shuffle split)
SIZES = [
    (15672, 12),
    (3, 5),
    (105, 1),
    (32092, 6),
    (7, 2),
    (19999, 9),
    (20500, 3),
    (310, 4),
    (4, 11),
    (28001, 7),
    (99, 5),
    (100, 8),
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "herbarium")
    base = raw / "nybg2020"
    labels = [c for c, n in SIZES for _ in range(n if n < 5 else n * scale)]
    r.shuffle(labels)
    images, annotations = [], []
    for k, c in enumerate(labels):
        i = 100 + 7 * k + r.randrange(5)
        name = f"images/{c // 100:03d}/{c % 100:02d}/{i}.jpg"
        write_bytes(base / "train" / name, jpeg(r))
        images.append(
            {
                "file_name": name,
                "height": 1000,
                "id": i,
                "license": 1,
                "width": r.randrange(600, 700),
            }
        )
        annotations.append({"category_id": c, "id": i, "image_id": i, "region_id": r.randrange(3)})
    info = {
        "contributor": "New York Botanical Garden",
        "date_created": "2020-02-19 16:14:57",
        "description": "Herbarium dataset",
        "url": "https://www.kaggle.com/c/herbarium-2020-fgvc7",
        "version": "1.0",
        "year": 2020,
    }
    licenses = [
        {
            "id": 1,
            "name": "Attribution-NonCommercial 4.0",
            "url": "http://creativecommons.org/licenses/by-nc/4.0/",
        }
    ]
    categories = [
        {"family": "Fabaceae", "genus": f"Acacia{k}", "id": c, "name": f'Acacia {k} "L." × alba'}
        for k, (c, _) in enumerate(sorted(SIZES))
    ]
    regions = [
        {"id": 0, "name": "São Paulo"},
        {"id": 1, "name": "Cura@ao"},
        {"id": 2, "name": "North America"},
    ]
    text = json.dumps(
        {
            "annotations": annotations,
            "categories": categories,
            "images": images,
            "info": info,
            "licenses": licenses,
            "regions": regions,
        },
        ensure_ascii=False,
    )
    # UTF-8 with one lone Latin-1 byte, which no UTF-8 reader accepts
    write_bytes(
        base / "train" / "metadata.json", text.encode("utf-8").replace(b"Cura@ao", b"Cura\xe7ao")
    )
    test = []
    for k in range(4):
        name = f"images/000/{k}.jpg"
        write_bytes(base / "test" / name, jpeg(r))
        test.append({"file_name": name, "height": 1000, "id": k, "license": 1, "width": 682})
    write_bytes(
        base / "test" / "metadata.json",
        json.dumps({"images": test, "info": info, "licenses": licenses}).encode(),
    )
    write_csv(raw / "sample_submission.csv", ["Id", "Predicted"], ([k, 0] for k in range(4)))
