"""Rehearsal data. Kidney slides with one run-length encoded mask each: the archive has exactly 15 training slides."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import blob, rng, write_bytes, write_csv, write_text

TRAIN = [
    "2f6ecfcdf",
    "8242609fa",
    "aaa6a05cc",
    "cb2d976f4",
    "b9a3865fc",
    "b2dc8411c",
    "0486052bb",
    "e79de561c",
    "095bf7a1f",
    "54f2eec69",
    "4ef6695ce",
    "26dc41664",
    "c68fe75ea",
    "afa5e8098",
    "1e2425f28",
]


TEST = ["2ec3f1bb9", "3589adb90", "57512b7f1", "aa05346ff", "d488c759a"]


INFO = [
    "image_file",
    "width_pixels",
    "height_pixels",
    "anatomical_structures_segmention_file",
    "glomerulus_segmentation_file",
    "patient_number",
    "race",
    "ethnicity",
    "sex",
    "age",
    "weight_kilograms",
    "height_centimeters",
    "bmi_kg/m^2",
    "laterality",
    "percent_cortex",
    "percent_medulla",
]


def encode(pixels: set[int]) -> str:
    """1-based column-major pixel numbers -> 'start length ...'."""
    runs: list[list[int]] = []
    for p in sorted(pixels):
        if runs and runs[-1][0] + runs[-1][1] == p:
            runs[-1][1] += 1
        else:
            runs.append([p, 1])
    return " ".join(f"{s} {n}" for s, n in runs)


def discs(r, width: int, height: int, count: int) -> set[int]:
    out: set[int] = set()
    for _ in range(count):
        cx, cy, rad = r.randrange(width), r.randrange(height), r.randrange(2, 6)
        for x in range(max(0, cx - rad), min(width, cx + rad + 1)):
            for y in range(max(0, cy - rad), min(height, cy + rad + 1)):
                if (x - cx) ** 2 + (y - cy) ** 2 <= rad * rad:
                    out.add(x * height + y + 1)
    return out


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    ids = sorted(TRAIN + TEST, key=lambda i: r.random())
    info, masks = [], {}
    for n, i in enumerate(ids):
        width, height = r.randrange(35, 60) * scale, r.randrange(35, 60) * scale
        masks[i] = encode(discs(r, width, height, r.randrange(3, 9) * scale))
        info.append(
            [
                f"{i}.tiff",
                width,
                height,
                f"{i}-anatomical-structure.json",
                f"{i}.json",
                60_000 + n,
                r.choice(["White", "Black or African American"]),
                "Not Hispanic or Latino" if r.random() < 0.8 else "",
                r.choice(["Male", "Female"]),
                r.randrange(20, 80),
                f"{r.uniform(50, 120):.1f}",
                f"{r.uniform(150, 195):.1f}",
                f"{r.uniform(18, 40):.2f}",
                r.choice(["Left", "Right"]),
                r.choice([55, 65, 80]),
                r.choice([45, 35, 20]),
            ]
        )
        folder = raw / ("train" if i in TRAIN else "test")
        write_bytes(folder / f"{i}.tiff", blob(r, 200, b"II*\0"))
        shape = lambda name: [
            {
                "type": "Feature",
                "id": "PathAnnotationObject",
                "geometry": {
                    "type": "Polygon",
                    "coordinates": [[[r.randrange(width), r.randrange(height)] for _ in range(5)]],
                },
                "properties": {
                    "classification": {"name": name, "colorRGB": -3140401},
                    "isLocked": name == "glomerulus",
                },
            }
        ]
        if i in TRAIN:
            write_text(folder / f"{i}.json", json.dumps(shape("glomerulus"), indent=1))
        write_text(folder / f"{i}-anatomical-structure.json", json.dumps(shape("Cortex"), indent=1))
    write_csv(raw / "HuBMAP-20-dataset_information.csv", INFO, info)
    write_csv(raw / "train.csv", ["id", "encoding"], ([i, masks[i]] for i in TRAIN))
    write_csv(raw / "sample_submission.csv", ["id", "predicted"], ([i, ""] for i in TEST))
