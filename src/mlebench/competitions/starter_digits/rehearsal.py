"""Rehearsal data. Small grey pictures in a folder, brighter from the row that the label names."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import png, rng, write_bytes, write_csv


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    labels = {f"digit_{i:04d}": r.randrange(10) for i in range(1, 120 * scale + 1)}
    write_csv(raw / "labels.csv", ["id", "label"], labels.items())
    pixels = rng(seed, "pixels")
    for name, label in labels.items():
        bright = lambda x, y, label=label: pixels.randrange(100) + 150 * (y >= label)
        write_bytes(raw / "images" / f"{name}.png", png(8, 8, pixels, pixel=bright))
