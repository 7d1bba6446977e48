"""Rehearsal data. Pet photos with twelve 0/1 marks and a popularity score from 1 to 100."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, write_bytes, write_csv

MARKS = [
    "Subject Focus",
    "Eyes",
    "Face",
    "Near",
    "Action",
    "Accessory",
    "Group",
    "Collage",
    "Human",
    "Occlusion",
    "Info",
    "Blur",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    row = lambda: [hex_id(r, 32), *(int(r.random() < 0.3) for _ in MARKS)]
    train = sorted(row() + [min(100, max(1, int(r.gauss(38, 25))))] for _ in range(155 * scale))
    test = sorted(row() for _ in range(8))
    for kind, rows in (("train", train), ("test", test)):
        for i, *_ in rows:
            write_bytes(raw / kind / f"{i}.jpg", jpeg(r))
    write_csv(raw / "train.csv", ["Id", *MARKS, "Pawpularity"], train)
    write_csv(raw / "test.csv", ["Id", *MARKS], test)
    write_csv(
        raw / "sample_submission.csv",
        ["Id", "Pawpularity"],
        ([t[0], f"{r.uniform(1, 100):.2f}"] for t in test),
    )
