"""Rehearsal data. Thumbnails in a nested zip with a 0/1 label per file name."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, write_csv, write_zip


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    ids = sorted({f"{hex_id(r, 32)}.jpg" for _ in range(120 * scale)})
    test_ids = sorted({f"{hex_id(r, 32)}.jpg" for _ in range(8)})
    write_csv(raw / "train.csv", ["id", "has_cactus"], ((i, int(r.random() < 0.75)) for i in ids))
    write_csv(raw / "sample_submission.csv", ["id", "has_cactus"], ((i, "0.5") for i in test_ids))
    pictures = rng(seed, "pictures")
    write_zip(raw / "train.zip", {"train/": b""} | {f"train/{i}": jpeg(pictures) for i in ids})
    write_zip(raw / "test.zip", {"test/": b""} | {f"test/{i}": jpeg(pictures) for i in test_ids})
