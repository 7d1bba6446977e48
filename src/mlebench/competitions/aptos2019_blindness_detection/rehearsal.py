"""Rehearsal data. Retina photographs graded 0 to 4 for diabetic retinopathy."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, png, rng, write_bytes, write_csv


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "train")
    n = 150 * scale
    ids = sorted(hex_id(r, 12) for _ in range(n))
    grades = [r.choices([0, 1, 2, 3, 4], [49, 10, 27, 5, 8])[0] for _ in ids]
    write_csv(raw / "train.csv", ["id_code", "diagnosis"], zip(ids, grades))
    for i in ids:
        write_bytes(raw / "train_images" / f"{i}.png", png(5, 4, r, "RGB"))
    test = sorted(hex_id(r, 12) for _ in range(8))
    write_csv(raw / "test.csv", ["id_code"], ((i,) for i in test))
    write_csv(raw / "sample_submission.csv", ["id_code", "diagnosis"], ((i, 0) for i in test))
    for i in test:
        write_bytes(raw / "test_images" / f"{i}.png", png(5, 4, r, "RGB"))
