"""Rehearsal data. Seedlings: one folder of PNG files per species, names with spaces."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, png, rng, write_bytes, write_csv, write_text

SPECIES = [
    "Black-grass",
    "Charlock",
    "Cleavers",
    "Common Chickweed",
    "Common wheat",
    "Fat Hen",
    "Loose Silky-bent",
    "Maize",
    "Scentless Mayweed",
    "Shepherds Purse",
    "Small-flowered Cranesbill",
    "Sugar beet",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "seedlings")
    for s in SPECIES:
        for _ in range(r.randrange(9, 17) * scale):
            write_bytes(raw / "train" / s / f"{hex_id(r, 9)}.png", png(2, 2, r, "RGB"))
    write_text(raw / "train" / "Maize" / "notes.txt", "not an image\n")  # only .png counts
    test = sorted(f"{hex_id(r, 9)}.png" for _ in range(6))
    for name in test:
        write_bytes(raw / "test" / name, png(2, 2, r, "RGB"))
    write_csv(
        raw / "sample_submission.csv", ["file", "species"], ([name, "Sugar beet"] for name in test)
    )
