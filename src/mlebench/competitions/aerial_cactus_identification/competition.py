"""Aerial Cactus Identification: does a thumbnail show a columnar cactus."""

from pathlib import Path

from mlebench.competition import Competition
from mlebench.data.archives import unpacked
from mlebench.data.files import zip_files
from mlebench.data.raw import Raw
from mlebench.data.tables import read_table, split_rows, write_table
from mlebench.grading.formats import RowPerId
from mlebench.grading.values import probabilities
from mlebench.metrics import roc_auc


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_rows(read_table(raw / "train.csv"), test_size=0.19)
    write_table(train, public / "train.csv")
    write_table(test, private / "test.csv")
    write_table(test.assign(has_cactus=0.5), public / "sample_submission.csv")
    with unpacked(raw / "train.zip") as content:
        for part, name in ((train, "train.zip"), (test, "test.zip")):
            zip_files({image: content / "train" / image for image in part["id"]}, public / name)


competition = Competition(
    id="aerial-cactus-identification",
    title="Aerial Cactus Identification",
    category="Image Classification",
    complexity="low",
    competition_type="code",
    dataset_gb=0.0254,
    prepare=prepare,
    submission=RowPerId(id="id", target="has_cactus", values=probabilities),
    metric=roc_auc,
    official_sample_score=0.5,
)
