"""Histopathologic Cancer Detection: whether the centre of a slide patch is tumour."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.recipes import Files, LabelSplit
from mlebench.tables import read_table, split_groups

rows = RowPerId(id="id", target="label", values=probabilities)
tables = LabelSplit(rows, table="train_labels.csv", answers="answers.csv")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    labels = read_table(raw / "train_labels.csv")
    unlabelled = len((raw / "test").files("*.tif"))
    parts = split_groups(labels, "id", test_size=unlabelled / (len(labels) + unlabelled))
    tables.write(parts, public, private)
    Files("train/{}.tif", "id")(raw, parts, public)


competition = CompetitionDefinition(
    id="histopathologic-cancer-detection",
    title="Histopathologic Cancer Detection",
    category="Image Regression",
    complexity="low",
    competition_type="code",
    dataset_gb=7.76,
    prepare=prepare,
    submission=rows,
    metric=roc_auc,
    answers="private/answers.csv",
    official_sample_score=0.5,
    faults=(Fault("the number of unlabelled raw files decides the size of the split"),),
)
