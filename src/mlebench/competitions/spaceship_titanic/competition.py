"""Spaceship Titanic: which passengers were carried to another dimension."""

from mlebench.competition import Competition
from mlebench.data.recipes import TableSplit
from mlebench.grading.formats import RowPerId
from mlebench.grading.values import labels
from mlebench.metrics import accuracy

rows = RowPerId(id="PassengerId", target="Transported", values=labels)

competition = Competition(
    id="spaceship-titanic",
    title="Spaceship Titanic",
    category="Tabular",
    complexity="dev",
    dataset_gb=0.001,
    prepare=TableSplit(rows, test_size=0.1, sample_value=False),
    submission=rows,
    metric=accuracy,
    official_sample_score=0.50345,
)
