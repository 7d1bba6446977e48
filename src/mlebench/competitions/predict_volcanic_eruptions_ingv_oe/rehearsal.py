"""Rehearsal data. Ten seismic sensors per segment file; the target is the time until the next eruption."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv

SENSORS = [f"sensor_{k}" for k in range(1, 11)]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    n, m = 165 * scale + seed, 12 * scale
    ids = r.sample(range(1_000_000, 2_147_000_000), n + m)

    def segment(path: Path) -> None:
        dead = {k for k in range(10) if r.random() < 0.1}
        write_csv(
            path,
            SENSORS,
            (
                [
                    ("" if k in dead or r.random() < 0.02 else f"{r.randrange(-32768, 32768)}.0")
                    for k in range(10)
                ]
                for _ in range(4)
            ),
        )

    for i in ids[:n]:
        segment(raw / "train" / f"{i}.csv")
    for i in ids[n:]:
        segment(raw / "test" / f"{i}.csv")
    write_csv(
        raw / "train.csv",
        ["segment_id", "time_to_eruption"],
        ([i, r.randrange(6_000, 49_000_000)] for i in ids[:n]),
    )
    write_csv(
        raw / "sample_submission.csv", ["segment_id", "time_to_eruption"], ([i, 0] for i in ids[n:])
    )
