"""Rehearsal data. Apple leaves: four label columns, image ids renumbered by preparation."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_bytes, write_csv

CLASSES = ["healthy", "multiple_diseases", "rust", "scab"]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "leaves")
    rows = []
    for k in range(240 * scale):
        label = r.choices(range(4), [28, 24, 34, 33])[0]
        rows.append([f"Train_{k}"] + [int(label == j) for j in range(4)])
        write_bytes(raw / "images" / f"Train_{k}.jpg", jpeg(r))
    write_csv(raw / "train.csv", ["image_id", *CLASSES], rows)
    test = [f"Test_{k}" for k in range(5)]
    for i in test:
        write_bytes(raw / "images" / f"{i}.jpg", jpeg(r))
    write_csv(raw / "test.csv", ["image_id"], ([i] for i in test))
    write_csv(
        raw / "sample_submission.csv", ["image_id", *CLASSES], ([i] + [0.25] * 4 for i in test)
    )
