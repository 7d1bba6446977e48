"""RANZCR CLiP: which tubes and catheters a chest X-ray shows, and whether they lie well."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import mean_column_roc_auc
from mlebench.recipes import LabelledFiles
from mlebench.tables import read_table, write_table

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
split = LabelledFiles(rows)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    split(raw, public, private)
    annotations = read_table(raw / "train_annotations.csv")
    is_train = annotations[rows.id].isin(read_table(public / "train.csv")[rows.id])
    write_table(annotations[is_train], public / "train_annotations.csv")


competition = CompetitionDefinition(
    id="ranzcr-clip-catheter-line-classification",
    title="RANZCR CLiP - Catheter and Line Position Challenge",
    category="Image Classification",
    complexity="low",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    dataset_gb=13.13,
    prepare=prepare,
    submission=rows,
    metric=mean_column_roc_auc,
    official_sample_score=0.5,
    faults=(
        Fault("sample submission and scoring lack two of the eleven labels", issue="#30"),
        Fault("patients occur on both sides of the split"),
    ),
)
