"""Playground Series 3, episode 18: which of two enzymes work on a molecule."""

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import converted_numbers
from mlebench.metrics import mean_column_roc_auc
from mlebench.recipes import TableSplit

rows = RowPerId(id="id", target=("EC1", "EC2"), odd_values=converted_numbers)

competition = CompetitionDefinition(
    id="playground-series-s3e18",
    title="Explore Multi-Label Classification with an Enzyme Substrate Dataset",
    category="Tabular",
    complexity="dev",
    prepare=TableSplit(rows, sample_value=0.5, hidden=("EC3", "EC4", "EC5", "EC6")),
    submission=rows,
    metric=mean_column_roc_auc,
    official_sample_score=0.5,
)
