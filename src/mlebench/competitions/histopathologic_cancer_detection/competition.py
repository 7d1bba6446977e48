"""Histopathologic Cancer Detection: is there tumour tissue in the centre of a slide patch."""

from pathlib import Path

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.tables import read_table, split_groups, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    labels = read_table(raw / "train_labels.csv")
    unlabelled = len((raw / "test").files("*.tif"))
    share = unlabelled / (len(labels) + unlabelled)
    train, test = split_groups(labels, "id", test_size=share)
    write_table(train, public / "train_labels.csv")
    write_table(test, private / "answers.csv")
    write_table(test.assign(label=0), public / "sample_submission.csv")
    copy_split(raw, "train/{}.tif", public, train=train["id"], test=test["id"])


competition = CompetitionDefinition(
    id="histopathologic-cancer-detection",
    title="Histopathologic Cancer Detection",
    category="Image Regression",
    complexity="low",
    competition_type="code",
    dataset_gb=7.76,
    prepare=prepare,
    submission=RowPerId(id="id", target="label", values=probabilities),
    metric=roc_auc,
    answers="private/answers.csv",
    official_sample_score=0.5,
    faults=(Fault("the number of unlabelled raw files decides the size of the split"),),
)
