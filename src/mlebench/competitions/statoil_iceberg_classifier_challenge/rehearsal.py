"""Rehearsal data. Radar pictures of ships and icebergs as JSON lists inside 7z archives; the bands are shortened to 5 x 5 pixels."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import csv_text, hex_id, rng, write_7z


def steady_7z(path: Path, members: dict[str, bytes]) -> None:
    """lib.write_7z with the clock stopped: py7zr stamps members with the present time."""
    from py7zr.py7zr import ArchiveTimestamp

    now = ArchiveTimestamp.from_now
    ArchiveTimestamp.from_now = staticmethod(lambda: ArchiveTimestamp.from_datetime(1577836800))
    try:
        write_7z(path, members)
    finally:
        ArchiveTimestamp.from_now = staticmethod(now)


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    ids: list[str] = []
    while len(ids) < 190 * scale:
        if (i := hex_id(r, 8)) not in ids:
            ids.append(i)
    band = lambda: [round(r.gauss(-22, 6), r.choice([5, 6, 6, 7])) for _ in range(25)]

    def sample(i: str, labelled: bool) -> dict:
        angle = "na" if labelled and r.random() < 0.08 else round(r.uniform(24.7, 45.9), 4)
        s = {"id": i, "band_1": band(), "band_2": band(), "inc_angle": angle}
        return s | {"is_iceberg": int(r.random() < 0.47)} if labelled else s

    n = 150 * scale
    train = [sample(i, True) for i in ids[:n]]
    test = [sample(i, False) for i in ids[n:]]
    steady_7z(raw / "train.json.7z", {"data/processed/train.json": json.dumps(train).encode()})
    steady_7z(raw / "test.json.7z", {"data/processed/test.json": json.dumps(test).encode()})
    steady_7z(
        raw / "sample_submission.csv.7z",
        {
            "data/processed/sample_submission.csv": csv_text(
                ["id", "is_iceberg"], ([s["id"], 0.5] for s in test)
            ).encode()
        },
    )
