"""Aerial Cactus Identification: does a thumbnail show a columnar cactus."""

from pathlib import Path

from mlebench.archives.copying import zip_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.tables import read_table, split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_rows(read_table(raw / "train.csv"), test_size=0.19)
    write_table(train, public / "train.csv")
    write_table(test, private / "test.csv")
    write_table(test.assign(has_cactus=0.5), public / "sample_submission.csv")
    with unpacked(raw / "train.zip") as content:
        for part, name in ((train, "train.zip"), (test, "test.zip")):
            zip_files({image: content / "train" / image for image in part["id"]}, public / name)


competition = CompetitionDefinition(
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
