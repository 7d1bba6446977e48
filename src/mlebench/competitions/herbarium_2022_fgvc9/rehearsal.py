"""Rehearsal data. Pressed plants of North America: COCO-style metadata, images renumbered by preparation."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_bytes, write_csv, write_text

SIZES = [(15504, 12), (3, 7), (105, 7), (10932, 8), (42, 9), (99, 11), (100, 10), (7, 16)]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "herbarium")
    labels = [c for c, n in SIZES for _ in range(n * scale)]
    r.shuffle(labels)
    count: dict[int, int] = {}
    images, annotations = [], []
    for c in labels:
        count[c] = count.get(c, 0) + 1
        i = f"{c:05d}__{count[c]:03d}"
        name = f"{c // 100:03d}/{c % 100:02d}/{i}.jpg"
        write_bytes(raw / "train_images" / name, jpeg(r))
        images.append({"image_id": i, "file_name": name, "license": r.randrange(3)})
        annotations.append(
            {"genus_id": c % 5, "institution_id": r.randrange(9), "category_id": c, "image_id": i}
        )
    meta = {
        "annotations": annotations,
        "images": images,
        "categories": [
            {
                "category_id": c,
                "scientificName": f"Abies bracteata {k}",
                "family": "Pinaceae",
                "genus": "Abies",
                "species": f"bracteata{k}",
                "authors": "(D.Don) Poit. × Née",
            }
            for k, (c, _) in enumerate(sorted(SIZES))
        ],
        "genera": [
            {"genus_id": k, "genus": g}
            for k, g in enumerate(["Abies", "Abronia", "Abutilon", "Acacia", "Acaena"])
        ],
        "institutions": [{"institution_id": k, "collectionCode": f"NY{k}"} for k in range(9)],
        "distances": [
            {
                "genus_id_x": a,
                "genus_id_y": b,
                "distance": r.choice([r.uniform(1, 300), 281.0, 5.9e-05]),
            }
            for a in range(5)
            for b in range(a + 1, 5)
        ],
        "licenses": [
            {"id": k, "name": n, "url": "http://creativecommons.org/licenses/by-nc/4.0/"}
            for k, n in enumerate(["CC-BY", "CC-BY-NC", "CC0"])
        ],
    }
    write_text(raw / "train_metadata.json", json.dumps(meta, ensure_ascii=False))
    test = []
    for k in range(5):
        name = f"000/test-{k:06d}.jpg"
        write_bytes(raw / "test_images" / name, jpeg(r))
        test.append({"image_id": str(k), "file_name": name, "license": 1})
    write_text(raw / "test_metadata.json", json.dumps(test))
    write_csv(raw / "sample_submission.csv", ["Id", "Predicted"], ([k, 42] for k in range(5)))
