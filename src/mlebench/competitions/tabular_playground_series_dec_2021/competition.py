"""Tabular Playground Series, December 2021: the forest cover of synthetic plots of land."""

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import never_equal, whole_numbers
from mlebench.metrics import accuracy
from mlebench.recipes import TableSplit

rows = RowPerId(id="Id", target="Cover_Type", values=whole_numbers, odd_values=never_equal)

competition = CompetitionDefinition(
    id="tabular-playground-series-dec-2021",
    title="Tabular Playground Series - Dec 2021",
    category="Tabular",
    complexity="low",
    dataset_gb=0.7,
    prepare=TableSplit(rows, sample_value=2),
    submission=rows,
    metric=accuracy,
    rounding="python",
    official_sample_score=0.56458,
    faults=(
        Fault("the leaderboard is crowded: the best and the median score almost coincide"),
        Fault("class 5 occurs once, so it is in only one part of the split"),
    ),
)
