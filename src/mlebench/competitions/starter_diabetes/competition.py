"""Starter: how diabetes progresses in a year. A demonstration: scikit-learn has the answers."""

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.metrics import root_mean_squared_error
from mlebench.recipes import TableSplit
from mlebench.recipes.bundled import bundled_table

NAMES = {
    "bp": "blood_pressure",
    "s1": "total_cholesterol",
    "s2": "ldl",
    "s3": "hdl",
    "s4": "cholesterol_ratio",
    "s5": "log_triglycerides",
    "s6": "blood_sugar",
}

rows = RowPerId(id="id", target="progression")

competition = CompetitionDefinition(
    id="starter-diabetes",
    title="Starter: Diabetes",
    category="Tabular",
    complexity="starter",
    dataset_gb=0.00002,
    make_raw=bundled_table("diabetes", target="progression", renamed=NAMES),
    prepare=TableSplit(rows, test_size=0.4, sample_value=150),
    submission=rows,
    metric=root_mean_squared_error,
)
