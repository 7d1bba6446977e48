"""Paddy Doctor: the disease of a rice plant from a photo of its leaf."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.class_labels import never_equal
from mlebench.formats.values import texts_only
from mlebench.metrics import accuracy
from mlebench.tables import read_table, split_rows, write_table
from mlebench.tables.frames import Frame


def prepare(raw: Raw, public: Path, private: Path) -> None:
    table = read_table(raw / "train.csv")
    # The published split names the train share alone, so train is rounded down, not test up.
    train, test = split_rows(table, test_size=len(table) - int(0.75 * len(table)))
    write_table(train, public / "train.csv")
    write_table(test, private / "test.csv")
    write_table(test[["image_id"]].assign(label=""), public / "sample_submission.csv")
    pictures = raw / "train_images"
    copy_files({p: pictures / p for p in paths(train)}, public / "train_images")
    unlabelled = dict(zip(test["image_id"], paths(test), strict=True))
    copy_files({name: pictures / p for name, p in unlabelled.items()}, public / "test_images")


def paths(table: Frame) -> list[str]:
    """Where the pictures of the rows lie: a folder for each label."""
    return list(table["label"] + "/" + table["image_id"])


competition = CompetitionDefinition(
    id="paddy-disease-classification",
    title="Paddy Doctor: Paddy Disease Classification",
    category="Image Classification",
    complexity="dev",
    prepare=prepare,
    submission=TextPerId(id="image_id", target="label", values=texts_only, odd_values=never_equal),
    metric=accuracy,
    rounding="python",
    official_sample_score=0.0,
    faults=(
        Fault("an empty label is accepted and counts as wrong"),
        Fault("variety and age of the test images are not published"),
    ),
    accepts=frozenset({"nan"}),
)
