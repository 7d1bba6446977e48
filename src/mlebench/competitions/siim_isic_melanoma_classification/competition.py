"""SIIM-ISIC Melanoma: whether a photographed skin lesion is malignant."""

from mlebench.competitions.siim_isic_melanoma_classification.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc

competition = CompetitionDefinition(
    id="siim-isic-melanoma-classification",
    title="SIIM-ISIC Melanoma Classification",
    category="Image Classification",
    complexity="low",
    awards_medals=True,
    prize_usd=30_000,
    dataset_gb=116.16,
    prepare=prepare,
    submission=RowPerId(id="image_name", target="target", values=probabilities),
    metric=roc_auc,
    official_sample_score=0.5,
    faults=(
        Fault("the public TFRecords of the test images contain target and diagnosis"),
        Fault("patients occur in both parts of the split"),
    ),
)
