"""Aerial Cactus Identification: whether a thumbnail shows a columnar cactus."""

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.recipes import LabelSplit, Recipe, ZippedFiles

rows = RowPerId(id="id", target="has_cactus", values=probabilities)

competition = CompetitionDefinition(
    id="aerial-cactus-identification",
    title="Aerial Cactus Identification",
    category="Image Classification",
    complexity="low",
    competition_type="code",
    dataset_gb=0.0254,
    prepare=Recipe(
        LabelSplit(rows, test_size=0.19, sample_value=0.5),
        ZippedFiles("train.zip", "train/{}", rows.id),
    ),
    submission=rows,
    metric=roc_auc,
    official_sample_score=0.5,
)
