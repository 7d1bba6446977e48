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
    prepare=Recipe(
        split,
        Files("train/{}.jpg", rows.id),
        TrainRows(rows.id, ("train_annotations.csv",)),
    ),
    submission=rows,
    passages={
        "27,074": "about 27,000",
        "3,009": "about 3,000",
        "Group your own folds by `PatientID`.": (
            "Group your own folds by `PatientID`; patients of the test images are not in train."
        ),
        "keep images of one `PatientID` in one fold of your validation.": (
            "keep images of one `PatientID` in one fold of your validation. Patients of the"
            " test images are not in train."
        ),
        "A CSV with `StudyInstanceUID` and these **nine scored columns**: … All scored values"
        " are numbers": (
            "A CSV with `StudyInstanceUID` and the eleven label columns; other columns are"
            " refused. One row per test image, in any order. All values are numbers"
        ),
        "`StudyInstanceUID` and nine of the eleven labels: … all nine values numbers": (
            "`StudyInstanceUID` and the eleven labels; other columns are refused. One row per"
            " test image, in any order, all values numbers"
        ),
        "StudyInstanceUID,ETT - Abnormal,ETT - Borderline,ETT - Normal,NGT - Abnormal,NGT -"
        " Borderline,NGT - Incompletely Imaged,NGT - Normal,CVC - Abnormal,CVC - Borderline …"
        " ```": (
            "StudyInstanceUID,ETT - Abnormal,ETT - Borderline,ETT - Normal,NGT - Abnormal,NGT"
            " - Borderline,NGT - Incompletely Imaged,NGT - Normal,CVC - Abnormal,CVC -"
            " Borderline,CVC - Normal,Swan Ganz Catheter Present\n"
            "1.2.826.0.1.3680043.8.498.12845193798303621550185440073417357707,0.01,0.03,0.4,0,"
            "0.02,0.1,0.3,0.2,0.3,0.5,0.01\n"
            "1.2.826.0.1.3680043.8.498.19755231398075777811447197023770358745,0,0,0,0.05,0.05,"
            "0.6,0.3,0.1,0.4,0.6,0\n"
            "```"
        ),
        "Mean over the nine scored columns of": "Mean over the eleven label columns of",
        "for each of the nine columns and averaged;": (
            "for each of the eleven columns and averaged;"
        ),
    },
)
