"""Paddy Doctor: the disease of a rice plant from a photo of its leaf."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.class_labels import never_equal
from mlebench.formats.values import texts_only
from mlebench.metrics import accuracy
from mlebench.recipes import ClassFolders, LabelSplit
from mlebench.recipes.splits import Parts
from mlebench.tables import read_table, split_rows

rows = TextPerId(id="image_id", target="label", values=texts_only, odd_values=never_equal)
tables = LabelSplit(rows, sample_value="")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    table = read_table(raw / "train.csv")
    # The published split names the train share alone, so train is rounded down, not test up.
    parts = split_rows(table, test_size=len(table) - int(0.75 * len(table)))
    write(raw, parts, public, private)


def write(
    raw: Raw, parts: Parts, public: Path, private: Path, *, tables: LabelSplit = tables
) -> None:
    """Write the images and tables of both parts."""
    tables.write(parts, public, private)
    ClassFolders("train_images", "label", "image_id")(raw, parts, public)


competition = CompetitionDefinition(
    id="paddy-disease-classification",
    title="Paddy Doctor: Paddy Disease Classification",
    category="Image Classification",
    complexity="dev",
    prepare=prepare,
    submission=rows,
    metric=accuracy,
    rounding="python",
    official_sample_score=0.0,
    faults=(
        Fault("an empty label is accepted and counts as wrong"),
        Fault("variety and age of the test images are not published"),
    ),
    accepts=frozenset({"nan"}),
)
