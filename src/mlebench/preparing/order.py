"""Revision v1.1: puts public tables of test items into the order of their ids.

The published preparation writes them in the order in which the split returns them. Its seed is
public, so that order can be inverted, and where the source is sorted by class it tells the labels.
Files and members of archives are written in the order of their names in every revision.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.records.manifest import walk_files
from mlebench.revision import GOLD

if TYPE_CHECKING:
    from mlebench.definition import CompetitionDefinition

Row = list[str]


def put_in_order(prepared: Path, definition: CompetitionDefinition) -> None:
    """Sort the sample submission and every other public table that lists only test items."""
    sample = prepared / definition.sample_submission
    name = definition.submission.id
    if name is None or not sample.is_file():
        return
    header, rows = read_rows(sample)
    if name not in header:
        return
    ids = {row[header.index(name)] for row in rows}
    for file in walk_files(prepared / "public"):
        if file.suffix == ".csv" and _lists_only(file, name, ids):
            sort_table(file, name)


def write_gold(prepared: Path, definition: CompetitionDefinition) -> None:
    """The answers as a plain submission, with the columns of the sample and no other."""
    sample, gold = prepared / definition.sample_submission, prepared / GOLD
    if definition.gold_submission != GOLD or gold.exists():
        return
    wanted, _ = read_rows(sample)
    header, rows = read_rows(prepared / definition.answers)
    places = [header.index(name) for name in wanted]
    write_rows(gold, [wanted, *([row[place] for place in places] for row in rows)])


def sort_table(file: Path, name: str) -> None:
    """Sort a table by one of its columns, as numbers if all its values are; equal ones keep their
    order."""
    header, rows = read_rows(file)
    place = header.index(name)
    values = [row[place] for row in rows]
    is_number = all(value.isascii() and value.isdigit() for value in values)
    key = (lambda row: int(row[place])) if is_number else (lambda row: row[place])
    rows.sort(key=key)
    write_rows(file, [header, *rows])


def write_rows(file: Path, rows: Iterable[Row]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)


def read_rows(file: Path) -> tuple[Row, list[Row]]:
    """The header and the rows of a table, as text."""
    with file.open(encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream)
        return next(reader, []), list(reader)


def _lists_only(file: Path, name: str, ids: Collection[str]) -> bool:
    """Whether every row of a table has an id of the sample; stops at the first that has not."""
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            reader = csv.reader(stream)
            header = next(reader, [])
            if name not in header:
                return False
            place = header.index(name)
            return all(len(row) > place and row[place] in ids for row in reader)
    except (UnicodeDecodeError, csv.Error):
        return False
