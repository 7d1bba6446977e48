"""Starter: whether a breast mass is malignant. A demonstration: scikit-learn has the answers."""

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.recipes import TableSplit
from mlebench.recipes.bundled import bundled_table

rows = RowPerId(id="id", target="malignant", values=probabilities)

competition = CompetitionDefinition(
    id="starter-breast-cancer",
    title="Starter: Breast Cancer",
    category="Tabular",
    complexity="starter",
    dataset_gb=0.00012,
    make_raw=bundled_table("breast_cancer", target="malignant", renamed={}, classes={0: 1, 1: 0}),
    prepare=TableSplit(rows, test_size=0.4, sample_value=0.5),
    submission=rows,
    metric=roc_auc,
)
