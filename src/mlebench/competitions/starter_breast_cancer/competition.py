"""Starter: is a breast mass malignant; a demonstration, scikit-learn ships the answers."""

from mlebench.competition import Competition
from mlebench.data.bundled import bundled_table
from mlebench.data.recipes import TableSplit
from mlebench.grading.formats import RowPerId
from mlebench.grading.values import probabilities
from mlebench.metrics import roc_auc

rows = RowPerId(id="id", target="malignant", values=probabilities)

competition = Competition(
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
