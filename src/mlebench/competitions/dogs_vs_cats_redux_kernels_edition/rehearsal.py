"""Rehearsal data. Photographs named by class, in nested zips."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import jpeg, rng, write_csv, write_zip


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "images")
    n = 55 * scale
    members = {"train/": b""}
    members |= {
        f"train/{kind}.{i}.jpg": jpeg(r)
        for kind in ("cat", "dog")
        for i in range(n if kind == "cat" else n - 4)
    }
    write_zip(raw / "train.zip", members)
    write_zip(raw / "test.zip", {"test/": b""} | {f"test/{i}.jpg": jpeg(r) for i in range(1, 12)})
    write_csv(raw / "sample_submission.csv", ["id", "label"], ((i, 0.5) for i in range(1, 12)))
