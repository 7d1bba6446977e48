"""Revision v1.1: all eleven labels, and patients kept apart."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.ranzcr_clip_catheter_line_classification.competition import SCORED
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.recipes import Files, LabelSplit, Recipe, TrainRows
from mlebench.recipes.hashes import split_by_hash
from mlebench.recipes.splits import Parts
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table

LABELS = (*SCORED, "CVC - Normal", "Swan Ganz Catheter Present")
rows = RowPerId(id="StudyInstanceUID", target=LABELS, values=probabilities)


def split(raw: Raw, public: Path, private: Path) -> Parts:
    parts = split_by_hash(read_table(raw / "train.csv"), "PatientID", test_size=0.1)
    LabelSplit(rows).write(parts, public, private)
    return parts


changes = Changes(
    fixes=(
        Fix(
            "sample submission and score lack two of the eleven labels",
            "all eleven labels are predicted",
            "#30",
        ),
        Fix("patients are in train and test", "patients are drawn by the hash of their id"),
    ),
    comparability="new",
    note=(
        "All eleven labels are predicted, and the score is the mean over eleven columns. Patients"
        " of the test images are not in train.\n\n```\n"
        + ",".join([rows.id, *LABELS])
        + "\n1.2.826,0,0,0,0,0,0,0,0,0,0,0\n```"
    ),
    prepare=Recipe(
        split,
        Files("train/{}.jpg", rows.id),
        TrainRows(rows.id, ("train_annotations.csv",)),
    ),
    submission=rows,
)
