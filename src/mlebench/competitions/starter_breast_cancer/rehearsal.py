"""Rehearsal data. Thirty measured columns and a 0/1 target that two of them tell about."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, write_csv

PROPERTIES = (
    "radius",
    "texture",
    "perimeter",
    "area",
    "smoothness",
    "compactness",
    "concavity",
    "concave_points",
    "symmetry",
    "fractal_dimension",
)
COLUMNS = [
    *(f"mean_{name}" for name in PROPERTIES),
    *(f"{name}_error" for name in PROPERTIES),
    *(f"worst_{name}" for name in PROPERTIES),
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")

    def row(i: int) -> list[object]:
        cells = [round(r.uniform(0, 30), 4) for _ in COLUMNS]
        return [i, *cells, int(cells[0] + cells[-1] + r.gauss(0, 5) > 35)]

    rows = (row(i) for i in range(1, 150 * scale + 1))
    write_csv(raw / "train.csv", ["id", *COLUMNS, "malignant"], rows)
