"""Leaf Classification: 99 plant species from ready-made features and binary pictures of leaves."""

from mlebench.competitions.leaf_classification.prepare import prepare, rows
from mlebench.definition import CompetitionDefinition
from mlebench.metrics import multi_class_log_loss

competition = CompetitionDefinition(
    id="leaf-classification",
    title="Leaf Classification",
    category="Image Classification",
    complexity="low",
    dataset_gb=0.036,
    prepare=prepare,
    submission=rows,
    metric=multi_class_log_loss,
    rounding="python",
    official_sample_score=4.59512,
)
