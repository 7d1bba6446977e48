"""Leaf Classification: 99 plant species from ready-made features and binary pictures of leaves."""

from mlebench.competition import Competition
from mlebench.competitions.leaf_classification.prepare import SPECIES, prepare
from mlebench.grading.formats import RowPerId
from mlebench.grading.values import probability_rows
from mlebench.metrics import multi_class_log_loss

competition = Competition(
    id="leaf-classification",
    title="Leaf Classification",
    category="Image Classification",
    complexity="low",
    dataset_gb=0.036,
    prepare=prepare,
    submission=RowPerId(id="id", target=SPECIES, values=probability_rows, exact_columns=True),
    metric=multi_class_log_loss,
    official_sample_score=4.59512,
)
