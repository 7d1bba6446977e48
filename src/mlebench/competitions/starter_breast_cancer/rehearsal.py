"""Rehearsal data: thirty measured columns and a 0/1 target that two of them tell about."""

from mlebench.rehearsal import Numbered, Random, RawData, Table

PROPERTIES = (
    "radius texture perimeter area smoothness compactness concavity concave_points symmetry "
    "fractal_dimension"
).split()
COLUMNS = [form.format(name) for form in ("mean_{}", "{}_error", "worst_{}") for name in PROPERTIES]


def measured(r: Random) -> list[float]:
    cells = [round(r.uniform(0, 30), 4) for _ in COLUMNS]
    return [*cells, int(cells[0] + cells[-1] + r.gauss(0, 5) > 35)]


header = ",".join([*COLUMNS, "malignant"])
make_raw = RawData("rows", Table("train.csv", {"id": Numbered(150), header: measured}))
