"""The images of two of the sixteen TFRecord files are the test part, in all three formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_files, copy_split
from mlebench.archives.raw import Raw
from mlebench.recipes.tfrecord import read_feature, read_records
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    import pandas as pd

TEST_RECORDS = ("train00-2071.tfrec", "train06-2071.tfrec")
KNOWN = ["image_name", "patient_id", "sex", "age_approx", "anatom_site_general_challenge"]


def prepare(raw: Raw, public: Path, private: Path) -> None:
    records = raw / "tfrecords"
    drawn = {
        read_feature(example, "image_name").decode()
        for name in TEST_RECORDS
        for example in read_records(records / name)
    }
    images = read_table(raw / "train.csv")
    is_test = images["image_name"].isin(drawn)
    train, test = images[~is_test], images[is_test]
    write_tables(train, test, public, private)
    for pattern in ("train/{}.dcm", "jpeg/train/{}.jpg"):
        copy_split(raw, pattern, public, train=train["image_name"], test=test["image_name"])
    copy_files(renumbered(records), public / "tfrecords")


def write_tables(train: pd.DataFrame, test: pd.DataFrame, public: Path, private: Path) -> None:
    """Write the labels of both parts, what is known of the test images, and a sample."""
    answers = test[["image_name", "target"]]
    write_table(train, public / "train.csv")
    write_table(test[KNOWN], public / "test.csv")
    write_table(answers.assign(target=0), public / "sample_submission.csv")
    write_table(answers, private / "test.csv")


def renumbered(records: Raw) -> dict[str, Raw]:
    """The TFRecord files of each part counted from 00; the number of records stays in the name."""
    files = records.files("train*.tfrec")
    parts = {
        "train": [file for file in files if file.name not in TEST_RECORDS],
        "test": [file for file in files if file.name in TEST_RECORDS],
    }
    return {
        f"{part}{k:02d}-{file.stem.split('-', 1)[1]}.tfrec": file
        for part, members in parts.items()
        for k, file in enumerate(members)
    }
