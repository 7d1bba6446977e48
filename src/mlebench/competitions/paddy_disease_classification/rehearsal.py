"""Rehearsal data. Leaf photos in one folder per class, and a table with variety and age."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_bytes, write_csv

LABELS = [
    "bacterial_leaf_blight",
    "bacterial_leaf_streak",
    "bacterial_panicle_blight",
    "blast",
    "brown_spot",
    "dead_heart",
    "downy_mildew",
    "hispa",
    "normal",
    "tungro",
]


VARIETIES = [
    "ADT45",
    "KarnatakaPonni",
    "Ponni",
    "AtchayaPonni",
    "Surya",
    "Zonal",
    "AndraPonni",
    "IR20",
    "RR",
    "Onthanel",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    n = 134 * scale + seed  # a count that 4 does not divide, so that rounding shows
    numbers = r.sample(range(100001, 100001 + 3 * n), n)
    # The archive's table is sorted by label; image numbers are not.
    rows = sorted(
        (
            [
                f"{k}.jpg",
                r.choices(LABELS, [5, 4, 3, 17, 10, 14, 6, 16, 18, 11])[0],
                r.choices(VARIETIES, [70, 10, 7, 5, 2, 2, 1, 1, 1, 1])[0],
                r.randrange(45, 83),
            ]
            for k in numbers
        ),
        key=lambda row: row[1],
    )
    for name, label, *_ in rows:
        write_bytes(raw / "train_images" / label / name, jpeg(r))
    write_csv(raw / "train.csv", ["image_id", "label", "variety", "age"], rows)
    tests = [f"{200001 + k}.jpg" for k in range(12 * scale)]
    for name in tests:
        write_bytes(raw / "test_images" / name, jpeg(r))
    write_csv(raw / "sample_submission.csv", ["image_id", "label"], ([t, ""] for t in tests))
