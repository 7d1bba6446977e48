"""Rehearsal data. MRI slices in folders of case and day; three organs a slice as run-length text."""

from __future__ import annotations

import math
from pathlib import Path

from mlebench.rehearsal import png, rng, write_bytes, write_csv

CLASSES = ["large_bowel", "small_bowel", "stomach"]


def runs(cells: list[int]) -> str:
    """Run-length text of a sorted list of 1-based pixel numbers."""
    out, i = [], 0
    while i < len(cells):
        j = i
        while j + 1 < len(cells) and cells[j + 1] == cells[j] + 1:
            j += 1
        out += [cells[i], j - i + 1]
        i = j + 1
    return " ".join(map(str, out))


def mask(r, width: int, height: int) -> str:
    left, top = r.randrange(width - 3), r.randrange(height - 3)
    wide, tall = r.randrange(2, 6), r.randrange(2, 6)
    cells = sorted(
        {
            x * height + y + 1
            for x in range(left, min(width, left + wide))
            for y in range(top, min(height, top + tall))
            if r.random() < 0.9
        }
    )
    return runs(cells)


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import numpy as np

    r = rng(seed, "cases")
    pictures = rng(seed, "pictures")
    count = 11 * scale
    cases = [f"case{n}" for n in r.sample(range(2, 157), count)]
    # the split of cases is by position; two cases that stay in train have more than four days
    test = set(np.random.RandomState(42).permutation(count)[: math.ceil(0.1 * count)].tolist())
    kept = [i for i in range(count) if i not in test]
    many = {kept[1]: 6, kept[4]: 5}
    rows = []
    for i, case in enumerate(cases):
        days = r.sample(range(0, 40), many.get(i, r.choice([1, 2])))
        r.shuffle(days)
        for day in days:
            width, height, spacing = r.choice(
                [(16, 12, "1.50_1.50"), (14, 14, "1.63_1.63"), (12, 15, "1.50_1.50")]
            )
            for n in range(1, 5):
                place = (
                    raw
                    / "train"
                    / case
                    / f"{case}_day{day}"
                    / "scans"
                    / f"slice_{n:04d}_{width}_{height}_{spacing}.png"
                )
                write_bytes(
                    place,
                    png(width, height, pictures, "I;16", lambda x, y: pictures.randrange(4000)),
                )
                for organ in CLASSES:
                    rows.append(
                        (
                            f"{case}_day{day}_slice_{n:04d}",
                            organ,
                            mask(r, width, height) if n > 1 and r.random() < 0.5 else "",
                        )
                    )
    write_csv(raw / "train.csv", ["id", "class", "segmentation"], rows)
    write_csv(raw / "sample_submission.csv", ["id", "class", "predicted"], [])
