"""Starter: which digit does a picture show; a demonstration, scikit-learn ships the answers."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import labels
from mlebench.metrics import accuracy
from mlebench.recipes.bundled import digit_images
from mlebench.tables import read_table, split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_rows(read_table(raw / "labels.csv"), test_size=0.4)
    write_table(train, public / "train_labels.csv")
    write_table(test, private / "test.csv")
    write_table(test.assign(label=0), public / "sample_submission.csv")
    for part, folder in ((train, "train"), (test, "test")):
        names = [f"{image_id}.png" for image_id in part["id"]]
        copy_files({name: raw / "images" / name for name in names}, public / folder)


competition = CompetitionDefinition(
    id="starter-digits",
    title="Starter: Digits",
    category="Image Classification",
    complexity="starter",
    dataset_gb=0.0003,
    make_raw=digit_images,
    prepare=prepare,
    submission=RowPerId(id="id", target="label", values=labels),
    metric=accuracy,
)
