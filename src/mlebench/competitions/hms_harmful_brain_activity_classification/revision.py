"""Revision v1.1: gaps are refused, and patients are kept apart."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.hms_harmful_brain_activity_classification.prepare import write
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
        Fix("patients are in train and test", "patients are drawn by the hash of their id"),
    ),
    comparability="new",
    note="Patients of the test recordings are not in train.",
    prepare=prepare,
)
