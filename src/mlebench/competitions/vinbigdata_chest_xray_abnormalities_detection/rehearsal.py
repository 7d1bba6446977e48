"""Rehearsal data. Chest X-rays boxed by several radiologists. The original insists on 15,000 images, so there are that many tiny files."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, rng, write_csv

CLASSES = [
    "Aortic enlargement",
    "Atelectasis",
    "Calcification",
    "Cardiomegaly",
    "Consolidation",
    "ILD",
    "Infiltration",
    "Lung Opacity",
    "Nodule/Mass",
    "Other lesion",
    "Pleural effusion",
    "Pleural thickening",
    "Pneumothorax",
    "Pulmonary fibrosis",
    "No finding",
]


COLUMNS = ["image_id", "class_name", "class_id", "rad_id", "x_min", "y_min", "x_max", "y_max"]


IMAGES = 15_000


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    ids = [hex_id(r, 32) for _ in range(IMAGES)]
    rows = []
    for i in ids:
        readers = [f"R{k}" for k in r.sample(range(1, 18), r.choice([1, 1, 1, 3]))]
        if r.random() < 0.85:
            rows += [[i, CLASSES[14], 14, d, "", "", "", ""] for d in readers]
            continue
        for _ in range(
            r.randrange(1, 5) * scale
        ):  # the number of images is fixed; scale adds boxes
            c = r.choices(range(14), [30, 2, 5, 22, 3, 4, 5, 10, 11, 9, 10, 20, 1, 19])[0]
            x, y, w, h = (
                r.randrange(100, 2000),
                r.randrange(100, 2000),
                r.randrange(40, 900),
                r.randrange(40, 900),
            )
            for d in readers:
                a, b = x + r.randrange(-30, 30), y + r.randrange(-30, 30)
                rows.append([i, CLASSES[c], c, d, f"{a}.0", f"{b}.0", f"{a + w}.0", f"{b + h}.0"])
    r.shuffle(rows)  # in the archive an image's rows are scattered too
    write_csv(raw / "train.csv", COLUMNS, rows)
    (raw / "train").mkdir(parents=True)
    (raw / "test").mkdir()
    for i in ids:
        (raw / "train" / f"{i}.dicom").write_bytes(b"DICM" + bytes.fromhex(i[:8]))
    tests = [hex_id(r, 32) for _ in range(5)]
    for i in tests:
        (raw / "test" / f"{i}.dicom").write_bytes(b"DICM" + bytes.fromhex(i[:8]))
    write_csv(
        raw / "sample_submission.csv",
        ["image_id", "PredictionString"],
        ([i, "14 1 0 0 1 1"] for i in tests),
    )
