"""RSNA-MICCAI Brain Tumor: is the MGMT promoter methylated, judged from four MRI series."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.tables import read_table, split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    # The ids are folder names with leading zeros here; grading compares them as numbers.
    labels = read_table(raw / "train_labels.csv", dtype={"BraTS21ID": str})
    train, test = split_rows(labels, test_size=0.1)
    write_table(train, public / "train_labels.csv")
    write_table(test, private / "test.csv")
    write_table(test.assign(MGMT_value=0.5), public / "sample_submission.csv")
    cases = raw / "train"
    for part, folder in ((train, "train"), (test, "test")):
        slices = (file for case in part["BraTS21ID"] for file in (cases / case).walk())
        copy_files({cases.relative(file): file for file in slices}, public / folder)


competition = CompetitionDefinition(
    id="rsna-miccai-brain-tumor-radiogenomic-classification",
    title="RSNA-MICCAI Brain Tumor Radiogenomic Classification",
    category="Image Classification",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=30_000,
    prepare=prepare,
    submission=RowPerId(id="BraTS21ID", target="MGMT_value", values=probabilities),
    metric=roc_auc,
    official_sample_score=0.5,
)
