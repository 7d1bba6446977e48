"""Rehearsal data. Pages of old Japanese text: characters with boxes in one string per page, images in a zip."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_csv, write_zip

CHARS = "はがいのにかしてまもれよりるをん心人日大一二三"


def page_id(r) -> str:
    style = r.randrange(4)
    if style == 0:
        return f"{r.randrange(100_000_000, 300_000_000)}_{r.randrange(99):05d}_{r.choice('12')}"
    if style == 1:
        return f"{r.randrange(100_000_000, 300_000_000)}-{r.randrange(99):05d}_{r.choice('12')}"
    return f"{r.choice(['umgy', 'brsk', 'hnsd'])}{r.randrange(20):03d}-{r.randrange(999):03d}"


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import numpy as np

    r = rng(seed, "rows")
    n = 87 * scale
    # The original's preparation stops on a test page without labels, so only train pages are empty here.
    in_test = set(np.random.RandomState(0).permutation(n)[: -(-n // 10)].tolist())
    ids: list[str] = []
    while len(ids) < n:
        if (i := page_id(r)) not in ids:
            ids.append(i)
    rows = []
    for k, i in enumerate(ids):
        cells = []
        for _ in range(r.randrange(1, 25)):
            cells += [
                f"U+{ord(r.choice(CHARS)):04X}",
                r.randrange(1200),
                r.randrange(1800),
                r.randrange(20, 400),
                r.randrange(20, 400),
            ]
        empty = k not in in_test and r.random() < 0.1
        rows.append([i, "" if empty else " ".join(map(str, cells))])
    write_csv(raw / "train.csv", ["image_id", "labels"], rows)
    write_zip(raw / "train_images.zip", {f"{i}.jpg": jpeg(r) for i in ids})
    tests = [f"test_{k:08x}" for k in range(6)]
    write_zip(raw / "test_images.zip", {f"{i}.jpg": jpeg(r) for i in tests})
    write_csv(
        raw / "sample_submission.csv",
        ["image_id", "labels"],
        ([i, "U+003F 1 1 U+FF2F 2 2"] for i in tests),
    )
    write_csv(
        raw / "unicode_translation.csv",
        ["Unicode", "char"],
        ([f"U+{ord(c):04X}", c] for c in sorted(CHARS)),
    )
