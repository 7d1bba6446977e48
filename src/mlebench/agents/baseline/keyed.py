"""Which file belongs to which row: pictures and the like that are named after an id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from .files import Found, is_of_test
from .tables import Table
from .vectors import reader_for

ENOUGH = 0.8
PATH = "file path"
"""A column with the path of the file itself, in tables made from folders."""

CLASS_IN_NAME = re.compile(r"([A-Za-z][A-Za-z ]*?)[._ -]?\d+")


class Index:
    """Files that can be made into vectors, by path, name and name without ending."""

    def __init__(self, files: Iterable[Found]) -> None:
        self.by_name: dict[str, list[Found]] = {}
        for file in files:
            if reader_for(file.suffix):
                for name in {file.path, file.name, file.stem}:
                    self.by_name.setdefault(name, []).append(file)

    def find(self, value: str) -> Found | None:
        """The file that a cell names; where several have the name, the one with the same path."""
        found = self.by_name.get(value) or self.by_name.get(value.rpartition("/")[2], [])
        if len(found) > 1:
            found = [f for f in found if f.path.endswith(value)] or found
        return found[0] if found else None


def files_of_rows(table: Table, columns: Sequence[str], index: Index) -> list[Found | None]:
    """The file of each row, by whichever column names files; empty where none does."""
    if not index.by_name or not len(table):
        return []
    spread = table.iloc[:: max(1, len(table) // 300)]
    for column in columns:
        hits = [index.find(value) is not None for value in _texts(spread[column])]
        if sum(hits) >= ENOUGH * len(hits):
            return [index.find(value) for value in _texts(table[column])]
    return []


def _texts(column: Any) -> list[str]:
    return [str(value) for value in column]


def split_index(files: Sequence[Found]) -> tuple[Index, Index]:
    """For the training rows and for the test rows; a folder that says neither serves both."""
    train = Index(f for f in files if not is_of_test(f.path))
    test = Index(f for f in files if "train" not in f.path.lower())
    return train, test


def classes_from_names(files: Sequence[Found], target: str) -> Table | None:
    """A training table from files in one folder per class, or with the class in their name."""
    media = [f for f in files if reader_for(f.suffix) and "train" in f.path.lower()]
    for name_class in (_class_of_folder, _class_of_name):
        rows = [(f.path, name_class(f)) for f in media]
        known = [(path, label) for path, label in rows if label]
        labels = {label for _, label in known}
        if len(known) > 0.9 * len(rows) and 1 < len(labels) <= 0.5 * len(known):
            return pd.DataFrame(known, columns=[PATH, target])
    return None


def _class_of_folder(file: Found) -> str:
    parts = file.path.split("/")[:-1]
    is_part_name = not parts or re.search(r"train|images|\.zip|audio|data", parts[-1].lower())
    return "" if is_part_name else parts[-1]


def _class_of_name(file: Found) -> str:
    found = CLASS_IN_NAME.match(file.stem)
    return found[1] if found else ""
