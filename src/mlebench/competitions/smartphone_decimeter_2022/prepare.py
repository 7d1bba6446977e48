"""Folders of drives with phones on board, split by the date of the drive."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_files, copy_folder
from mlebench.archives.raw import Raw
from mlebench.tables import Splitting, read_table, split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["tripId", "UnixTimeMillis", "LatitudeDegrees", "LongitudeDegrees"]
TRUTH = "ground_truth.csv"


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    is_shown: Callable[[Raw], bool] = lambda file: file.name != TRUTH,
    split: Splitting = split_rows,
) -> None:
    drives = (raw / "train").folders()
    _, test_dates = split(sorted({date_of(drive.name) for drive in drives}), test_size=0.1)
    test = [drive for drive in drives if date_of(drive.name) in test_dates]
    for drive in drives:
        if drive not in test:
            copy_folder(drive, public / "train" / drive.name)
    for drive in test:
        files = {drive.relative(file): file for file in drive.walk() if is_shown(file)}
        copy_files(files, public / "test" / drive.name)
    copy_folder(raw / "metadata", public / "metadata")
    tracks = answers(test)
    write_table(tracks, private / "test.csv")
    sample = tracks.assign(LatitudeDegrees=37.904611315634504, LongitudeDegrees=-86.48107806249548)
    write_table(sample, public / "sample_submission.csv")


def date_of(drive: str) -> str:
    """The date at the start of a drive's name, in a form that sorts by time."""
    year, month, day = drive.split("-")[:3]
    return f"{year}-{month:0>2}-{day:0>2}"


def answers(drives: list[Raw]) -> pd.DataFrame:
    """The reference tracks of all phones, one below the other."""
    import pandas as pd

    tracks = []
    for drive in drives:
        for file in drive.files(f"**/{TRUTH}"):
            trip = f"{drive.name}-{file.parent_name}"
            # The published preparation used the inexact parser of pandas 2.
            tracks.append(read_table(file, exact=False).assign(tripId=trip)[COLUMNS])
    return pd.concat(tracks)
