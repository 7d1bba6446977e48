"""Rehearsal data. Scanned pages with stains and their clean versions, in nested zips; the answer is one row per pixel."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import csv_text, png, rng, write_zip


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "pages")
    dirty, clean, test = {"train/": b""}, {"train_cleaned/": b""}, {}
    numbers = [n for n in range(2, 2 + 84 * scale) if n % 3 != 1]
    for n in numbers:
        width, height = r.choice([(7, 5), (7, 4)])
        mode = "RGB" if n % 7 == 3 else "L"  # a few pages are stored in colour
        tint = {}

        def page(x, y):
            v = 255 if r.random() < 0.6 else r.randrange(256)
            tint[x, y] = v
            return (v, max(0, v - 3), v // 2) if mode == "RGB" else v

        clean[f"train_cleaned/{n}.png"] = png(width, height, r, mode, page)
        dirty[f"train/{n}.png"] = png(
            width, height, r, "L", lambda x, y: max(0, tint[x, y] - r.randrange(80))
        )
    for n in range(1, 2 + 84 * scale, 3):
        test[f"test/{n}.png"] = png(4, 3, r)
    write_zip(raw / "train.zip", dirty)
    write_zip(raw / "train_cleaned.zip", clean)
    write_zip(raw / "test.zip", test)
    rows = [(f"{n}_{y}_{x}", 1) for n in (1, 4) for y in range(1, 4) for x in range(1, 5)]
    write_zip(
        raw / "sampleSubmission.csv.zip",
        {"sampleSubmission.csv": csv_text(["id", "value"], rows).encode()},
    )
