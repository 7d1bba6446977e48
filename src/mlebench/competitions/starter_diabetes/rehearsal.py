"""Rehearsal data. Ten measured columns and a number that two of them tell about."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv

COLUMNS = [
    "age",
    "sex",
    "bmi",
    "blood_pressure",
    "total_cholesterol",
    "ldl",
    "hdl",
    "cholesterol_ratio",
    "log_triglycerides",
    "blood_sugar",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def row(i: int) -> list[object]:
        bmi = round(r.uniform(18, 42), 1)
        fats = round(r.uniform(3.2, 6.1), 4)
        cells = [float(r.randrange(19, 80)), float(r.randrange(1, 3)), bmi]
        cells += [float(r.randrange(60, 250)) for _ in COLUMNS[3:8]]
        cells += [fats, float(r.randrange(58, 125))]
        return [i, *cells, float(round(4 * bmi + 40 * fats - 130 + r.gauss(0, 40)))]

    rows = (row(i) for i in range(1, 150 * scale + 1))
    write_csv(raw / "train.csv", ["id", *COLUMNS, "progression"], rows)
