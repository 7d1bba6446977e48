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
    prepare=prepare,
    refuses_gaps=True,
    submission=RowPerId(
        id="eeg_id",
        target=VOTES,
        values=rounded_probability_rows(5),
        truth=vote_shares,
        exact_columns=True,
    ),
    passages={
        "about 10,700 rows: `spectrogram_id`, `eeg_id`, `patient_id` |": (
            "about 1,700 rows: `spectrogram_id`, `eeg_id`, `patient_id`,"
            " `eeg_label_offset_seconds`, `spectrogram_label_offset_seconds` |"
        ),
        "some 10,700 rows: `spectrogram_id`, `eeg_id`, `patient_id` |": (
            "some 1,700 rows: `spectrogram_id`, `eeg_id`, `patient_id`,"
            " `eeg_label_offset_seconds`, `spectrogram_label_offset_seconds` |"
        ),
        "`test.csv` has one row per labelled window **without its offset**: rows of one"
        " `eeg_id` are equal, and test recordings have their full length.": (
            "`test.csv` has one labelled window of each recording, with its offsets; test"
            " recordings have their full length."
        ),
        "The test table has a row for each judged window but hides where it lies, so the rows"
        " of one recording look alike and the files hold whole recordings.": (
            "The test table has one judged window of each recording and says where it begins;"
            " the files hold whole recordings."
        ),
        "3911565283,0.05,0.6,0.1,0.1,0.05,0.1 3911565283,0.05,0.6,0.1,0.1,0.05,0.1": (
            "3911565283,0.05,0.6,0.1,0.1,0.05,0.1"
        ),
        "An `eeg_id` must stand as often as in `test.csv`; its rows are matched in the order in"
        " which they stand, which does not matter when they are equal. A submission": (
            "Rows may be in any order. A submission"
        ),
        "as many rows for each `eeg_id` as `test.csv` has.": (
            "one row for each `eeg_id` of `test.csv`."
        ),
        "Rows of the same recording are paired with the answers in file order; give them equal"
        " values and the order is of no concern. The file": ("Rows may be in any order. The file"),
        "- Offsets being unknown, predict one distribution per `eeg_id`: what its windows have"
        " on average.": (
            "- The offsets say which part of a recording was judged: look at that part."
        ),
        "- Predict one distribution per recording, close to the mean over its windows.": (
            "- The offsets say which part of a recording was judged: look at that part."
        ),
        "The split is by spectrogram: no recording and no spectrogram is in both parts, but"
        " patients are.": (
            "The split is by patient: no patient, spectrogram or recording is in both parts."
        ),
        "Spectrograms and recordings are either train or test; patients can be both.": (
            "Patients are either train or test, with all their spectrograms and recordings."
        ),
    },
)
