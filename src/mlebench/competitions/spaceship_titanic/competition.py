"""Spaceship Titanic: which passengers were carried to another dimension."""

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import never_equal, whole_numbers
from mlebench.metrics import accuracy
from mlebench.recipes import TableSplit

rows = RowPerId(
    id="PassengerId", target="Transported", values=whole_numbers, odd_values=never_equal
)

competition = CompetitionDefinition(
    id="spaceship-titanic",
    title="Spaceship Titanic",
    category="Tabular",
    complexity="dev",
    dataset_gb=0.001,
    prepare=TableSplit(rows, test_size=0.1, sample_value=False),
    submission=rows,
    metric=accuracy,
    rounding="python",
    official_sample_score=0.50345,
)
