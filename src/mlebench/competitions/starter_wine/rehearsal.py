"""Rehearsal data. Thirteen measured columns and three classes that one of them tells about."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv

COLUMNS = [
    "alcohol",
    "malic_acid",
    "ash",
    "alcalinity_of_ash",
    "magnesium",
    "total_phenols",
    "flavanoids",
    "nonflavanoid_phenols",
    "proanthocyanins",
    "color_intensity",
    "hue",
    "od280_od315",
    "proline",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def row(i: int) -> list[object]:
        cultivar = r.randrange(1, 4)
        cells = [round(r.uniform(0.5, 15), 2) for _ in COLUMNS[1:]]
        return [i, round(11 + cultivar + r.gauss(0, 0.5), 2), *cells, f"cultivar_{cultivar}"]

    rows = (row(i) for i in range(1, 100 * scale + 1))
    write_csv(raw / "train.csv", ["id", *COLUMNS, "cultivar"], rows)
