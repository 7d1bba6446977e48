"""Rehearsal data. Tissue patches as .tif files, one label per file name."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, hex_id, rng, write_bytes, write_csv


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "patches")
    tif = lambda folder, i: write_bytes(
        raw / folder / f"{i}.tif", blob(r, 60, b"II*\x00\x08\x00\x00\x00")
    )
    train = [hex_id(r, 40) for _ in range(130 * scale)]
    test = [hex_id(r, 40) for _ in range(37 * scale)]
    for i in train:
        tif("train", i)
    for i in test:
        tif("test", i)
    write_csv(
        raw / "train_labels.csv", ["id", "label"], ([i, int(r.random() < 0.4)] for i in train)
    )
    write_csv(raw / "sample_submission.csv", ["id", "label"], ([i, 0] for i in test))
