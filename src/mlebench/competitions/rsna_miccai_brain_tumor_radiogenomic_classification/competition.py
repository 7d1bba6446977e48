"""RSNA-MICCAI Brain Tumor: MGMT promoter methylation from four MRI series."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.recipes import Folders, LabelSplit
from mlebench.tables import read_table, split_rows

rows = RowPerId(id="BraTS21ID", target="MGMT_value", values=probabilities)
tables = LabelSplit(rows, sample_value=0.5, table="train_labels.csv")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    # The ids are folder names with leading zeros here; grading compares them as numbers.
    labels = read_table(raw / "train_labels.csv", dtype={"BraTS21ID": str})
    parts = split_rows(labels, test_size=0.1)
    tables.write(parts, public, private)
    Folders("train", "BraTS21ID")(raw, parts, public)


competition = CompetitionDefinition(
    id="rsna-miccai-brain-tumor-radiogenomic-classification",
    title="RSNA-MICCAI Brain Tumor Radiogenomic Classification",
    category="Image Classification",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=30_000,
    prepare=prepare,
    submission=rows,
    metric=roc_auc,
    official_sample_score=0.5,
)
