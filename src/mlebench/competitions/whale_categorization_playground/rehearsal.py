"""Rehearsal data. Whale flukes: very few photos per individual, and a catch-all new_whale."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, write_bytes, write_csv


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    whales = [f"w_{hex_id(r, 7)}" for _ in range(62 * scale)]
    counts = r.choices([1, 2, 3, 4, 7, 12], [45, 25, 12, 6, 2, 1], k=len(whales))
    labels = [w for w, n in zip(whales, counts) for _ in range(n)] + ["new_whale"] * (14 * scale)
    names = sorted(f"{hex_id(r, 8)}.jpg" for _ in labels)
    r.shuffle(labels)
    for name in names:
        write_bytes(raw / "train" / name, jpeg(r))
    write_csv(raw / "train.csv", ["Image", "Id"], zip(names, labels))
    tests = [f"{hex_id(r, 8)}.jpg" for _ in range(6)]
    for name in tests:
        write_bytes(raw / "test" / name, jpeg(r))
    write_csv(
        raw / "sample_submission.csv",
        ["Image", "Id"],
        ([t, "new_whale w_1287fbc w_98baff9 w_7554f44 w_1eafe46"] for t in tests),
    )
