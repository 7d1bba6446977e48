"""RANZCR CLiP: which tubes and catheters a chest X-ray shows, and whether they are placed well."""

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.clusters import Clusters
from mlebench.formats.values import probabilities
from mlebench.metrics import mean_column_roc_auc
from mlebench.recipes import Files, LabelSplit, Recipe, TrainRows

SCORED = (
    "ETT - Abnormal",
    "ETT - Borderline",
    "ETT - Normal",
    "NGT - Abnormal",
    "NGT - Borderline",
    "NGT - Incompletely Imaged",
    "NGT - Normal",
    "CVC - Abnormal",
    "CVC - Borderline",
)
rows = RowPerId(id="StudyInstanceUID", target=SCORED, values=probabilities)

competition = CompetitionDefinition(
    id="ranzcr-clip-catheter-line-classification",
    title="RANZCR CLiP - Catheter and Line Position Challenge",
    category="Image Classification",
    complexity="low",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    dataset_gb=13.13,
    prepare=Recipe(
        LabelSplit(rows),
        Files("train/{}.jpg", rows.id),
        TrainRows(rows.id, ("train_annotations.csv",)),
    ),
    submission=rows,
    metric=mean_column_roc_auc,
    clusters=Clusters("patient", "PatientID"),
    official_sample_score=0.5,
    faults=(
        Fault("sample submission and scoring lack two of the eleven labels", issue="#30"),
        Fault("patients occur in both parts of the split"),
    ),
)
