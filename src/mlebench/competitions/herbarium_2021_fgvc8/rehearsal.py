"""Rehearsal data. Herbarium sheets in COCO style: per-species split, renumbered test images."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_bytes, write_csv, write_text


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "train")
    ids = sorted(r.sample(range(64_500), 30 * scale)) + [0, 1]
    sizes = {c: r.choice([1, 2, 3, 4, 4, 5, 6, 7, 9, 11]) for c in ids}
    sizes[0], sizes[1] = 14, 5
    samples = [c for c, n in sizes.items() for _ in range(n)]
    r.shuffle(samples)
    numbers = r.sample(range(2_400_000), len(samples))
    annotations, images = [], []
    for k, (c, n) in enumerate(zip(samples, numbers)):
        name = f"images/{c // 100:03d}/{c % 100:02d}/{n}.jpg"
        annotations.append(
            {"category_id": c, "id": 10_000 + k, "image_id": n, "institution_id": r.randrange(5)}
        )
        images.append(
            {
                "file_name": name,
                "height": 1000,
                "id": n,
                "license": r.randrange(3),
                "width": r.randrange(600, 700),
            }
        )
        write_bytes(raw / "train" / name, jpeg(r))
    info = {
        "contributor": "New York Botanical Garden",
        "date_created": "2021-03-10 22:05:15.123456",
        "description": "Herbarium 2021",
        "url": "https://example.org",
        "version": "1.0",
        "year": 2021,
    }
    licenses = [{"id": k, "name": f"CC {k} – ©", "url": "http://example.org/"} for k in range(3)]
    meta = {
        "annotations": annotations,
        "categories": [
            {
                "family": "Orchidaceae",
                "id": c,
                "name": f"Épidendrum no{c} L.",
                "order": "Asparagales",
            }
            for c in sorted(ids)
        ],
        "images": images,
        "info": info,
        "licenses": licenses,
        "institutions": [
            {"id": k, "name": n}
            for k, n in enumerate(["NYBG", "Bishop Museum", "Naturalis", "Queensland", "Auckland"])
        ],
    }
    write_text(raw / "train" / "metadata.json", json.dumps(meta, ensure_ascii=False))
    test = [
        {
            "file_name": f"images/000/{k}.jpg",
            "height": 1000,
            "id": str(k),
            "license": 0,
            "width": 660,
        }
        for k in range(4)
    ]
    for image in test:
        write_bytes(raw / "test" / image["file_name"], jpeg(r))
    write_text(
        raw / "test" / "metadata.json",
        json.dumps({"images": test, "info": info, "licenses": licenses}),
    )
    write_csv(raw / "sample_submission.csv", ["Id", "Predicted"], ((k, 42) for k in range(4)))
