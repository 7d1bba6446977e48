"""Which file belongs to which row: images and other files named after an id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pandas as pd

from .files import Found, is_of_test
from .tables import Table
from .vectors import reader_for

ENOUGH = 0.8
PATH = "file path"
"""A column with the path of the file itself, in tables made from folders."""

CLASS_IN_NAME = re.compile(r"([A-Za-z][A-Za-z ]*?)[._ -]?\d+")


class Index:
    """Files that can be converted to vectors, by path, name and name without suffix."""

    def __init__(self, files: Iterable[Found]) -> None:
        self.by_name: dict[str, list[Found]] = {}
        for file in files:
            if reader_for(file.suffix):
                for name in {file.path, file.name, file.stem}:
                    self.by_name.setdefault(name, []).append(file)

    def find(self, value: str) -> Found | None:
        """The file that a cell names; among several of that name, one whose path matches."""
        found = self.by_name.get(value) or self.by_name.get(value.rpartition("/")[2], [])
        if len(found) > 1:
            found = [f for f in found if f.path.endswith(value)] or found
        return found[0] if found else None


def files_of_rows(table: Table, columns: Sequence[str], index: Index) -> list[Found | None]:
    """The file of each row, by the first column that names files; empty if none does."""
    if not index.by_name or not len(table):
        return []
    spread = table.iloc[:: max(1, len(table) // 300)]
    for column in columns:
        hits = [index.find(str(value)) is not None for value in spread[column]]
        if sum(hits) >= ENOUGH * len(hits):
            return [index.find(str(value)) for value in table[column]]
    return []


def split_index(files: Sequence[Found]) -> tuple[Index, Index]:
    """Indices for the training and for the test rows; files of neither kind are in both."""
    train = Index(f for f in files if not is_of_test(f.path))
    test = Index(f for f in files if "train" not in f.path.lower())
    return train, test


def classes_from_names(files: Sequence[Found], target: str) -> Table | None:
    """A training table of files with one folder per class, or with the class in their names."""
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
