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
from mlebench.recipes.hashes import split_by_hash
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    parts = split_by_hash(read_table(raw / "train.csv"), "patient_id", test_size=0.1)
    write(raw, parts, public, private)


changes = Changes(
    fixes=(
        Fix(
            "empty cells are skipped, so one class and five gaps in every row win gold",
            "a row has a share for each of the six classes",
        ),
        Fix(
            "rows are paired by an unstable sort, so that a file in another order is compared with"
            " wrong rows of a recording",
            "the k-th row of a recording is compared with its k-th answer",
        ),
        Fix("patients are in train and test", "patients are drawn by the hash of their id"),
    ),
    comparability="new",
    flags=("rows of one recording have the same id and are told apart by their order",),
    prepare=prepare,
    submission=RowPerId(
        id="eeg_id",
        target=VOTES,
        values=rounded_probability_rows(5),
        truth=vote_shares,
        exact_columns=True,
    ),
    passages={
        "The split is by spectrogram: no recording and no spectrogram is in both parts, but"
        " patients are.": (
            "The split is by patient: no patient, spectrogram or recording is in both parts."
        ),
        "Spectrograms and recordings are either train or test; patients can be both.": (
            "Patients are either train or test, with all their spectrograms and recordings."
        ),
    },
)
