"""Cases, and late days of cases with many, become the test; the pictures follow their rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.tables import Splitting, read_table, split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd

DAYS_IN_TRAIN = 4


def prepare(raw: Raw, public: Path, private: Path, *, split: Splitting = split_rows) -> None:
    rows = read_table(raw / "train.csv")
    days = rows["id"].str.split("_slice_").str[0]
    test_days = draw_test_days(list(days.unique()), split)
    is_test = days.isin(test_days)
    write_table(rows[~is_test], public / "train.csv")
    test = rows[is_test].rename(columns={"segmentation": "predicted"})
    write_table(test[["id", "class"]], public / "test.csv")
    write_table(test.assign(predicted="1 1 5 2"), public / "sample_submission.csv")

    pictures: dict[str, Raw] = {}
    sizes: dict[str, list[float]] = {}
    for picture in (raw / "train").walk():
        place = (raw / "train").relative(picture)
        day = place.split("/")[1]
        pictures[f"{'test' if day in test_days else 'train'}/{place}"] = picture
        _, number, width, height, *_ = picture.stem.split("_")
        sizes[f"{day}_slice_{number}"] = [float(width), float(height)]
    copy_files(pictures, public)
    write_table(with_sizes(test, sizes), private / "test.csv")


def draw_test_days(days: list[str], split: Splitting) -> set[str]:
    """All days of some cases, and of the others what comes after the fourth day."""
    by_case: dict[str, list[str]] = {}
    for day in days:
        by_case.setdefault(day.split("_")[0], []).append(day)
    _, test_cases = split(list(by_case), test_size=0.1, seed=42)
    test_days = set()
    for case, its_days in by_case.items():
        by_number = sorted(its_days, key=lambda day: int(day.split("_day")[1]))
        test_days.update(its_days if case in test_cases else by_number[DAYS_IN_TRAIN:])
    return test_days


def with_sizes(test: pd.DataFrame, sizes: dict[str, list[float]]) -> pd.DataFrame:
    """Add the size of each row's picture."""
    found = [sizes[id] for id in test["id"]]
    width, height = zip(*found, strict=True)
    return test.assign(image_width=width, image_height=height)
