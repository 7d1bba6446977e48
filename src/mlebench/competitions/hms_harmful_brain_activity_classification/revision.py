"""Revision v1.1: gaps are refused, and patients are kept apart."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.hms_harmful_brain_activity_classification.prepare import (
    VOTES,
    vote_shares,
    write,
)
from mlebench.formats import RowPerId
from mlebench.formats.values import rounded_probability_rows
from mlebench.recipes.hashes import hash_of, split_by_hash
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table

SHOWN = (
    "spectrogram_id",
    "eeg_id",
    "patient_id",
    "eeg_label_offset_seconds",
    "spectrogram_label_offset_seconds",
)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    train, test = split_by_hash(read_table(raw / "train.csv"), "patient_id", test_size=0.1)
    # One window of each recording, as on Kaggle; its place tells the agent what was labelled.
    drawn = test.assign(hash=[hash_of(str(label)) for label in test["label_id"]])
    windows = drawn.groupby("eeg_id")["hash"].transform("min") == drawn["hash"]
    write(raw, (train, test[windows]), public, private, shown=SHOWN)


changes = Changes(
    fixes=(
        Fix(
            "empty cells are skipped, so one class and five gaps in every row win gold",
            "a row has a share for each of the six classes",
        ),
        Fix(
            "the rows of a recording have one id and are paired by an unstable sort, so that a file"
            " in another order is compared with wrong rows",
            "the test has one window of each recording, and test.csv says where it is",
        ),
        Fix("patients are in train and test", "patients are drawn by the hash of their id"),
    ),
    comparability="new",
    note=(
        "Patients of the test recordings are not in train. The test has one row for each recording;"
        " `test.csv` has the offsets of the labelled window, as `train.csv` has them."
    ),
    prepare=prepare,
    refuses_gaps=True,
    submission=RowPerId(
        id="eeg_id",
        target=VOTES,
        values=rounded_probability_rows(5),
        truth=vote_shares,
        exact_columns=True,
    ),
)
