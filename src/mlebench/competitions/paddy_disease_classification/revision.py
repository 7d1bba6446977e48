"""Revision v1.1: the test part is drawn by the names of the images."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.paddy_disease_classification.competition import rows, write
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_without_gaps
from mlebench.recipes import LabelSplit
from mlebench.recipes.hashes import split_by_hash
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table


def prepare(raw: Raw, public: Path, private: Path, *, test_size: float = 0.25) -> None:
    # By name: the order of the source tells the disease.
    table = read_table(raw / "train.csv").sort_values(rows.id, kind="stable")
    parts = split_by_hash(table, rows.id, test_size=test_size)
    write(raw, parts, public, private, tables=LabelSplit(rows, sample_value="normal"))


changes = Changes(
    fixes=(
        Fix(
            "a public seed shuffles a table that is sorted by disease, so membership and order of"
            " the test images tell the disease",
            "test images are drawn by the hashes of their names, and both tables are sorted by"
            " name",
        ),
        Fix(
            "an empty label is accepted, and the sample submission has no other",
            "every image has a label; those of the sample submission are `normal`",
        ),
    ),
    comparability="new",
    prepare=prepare,
    refuses_gaps=True,
    submission=TextPerId(id=rows.id, target=rows.target, values=texts_without_gaps),
    passages={
        "`image_id` and an empty `label` |": ("`image_id` and the label `normal` throughout |"),
        "`image_id`, `label` left empty |": ("`image_id`, and `normal` as every `label` |"),
        "An empty or unknown label is accepted and counts as wrong.": (
            "An empty label is refused; an unknown one counts as wrong."
        ),
        "Empty cells and invented names pass the check and are wrong answers.": (
            "Empty cells are refused; invented names are wrong answers."
        ),
        "The sample submission, with no labels at all, is valid and scores 0.": (
            "The sample submission is valid."
        ),
        "The sample file has no labels, is valid and scores 0.": ("The sample file is valid."),
    },
)
