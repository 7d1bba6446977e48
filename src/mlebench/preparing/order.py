"""Revision v1.1: puts public tables of test items into the order of their ids.

The published preparation writes them in the order in which the split returns them. Its seed is
public, so that order can be inverted, and where the source is sorted by class it reveals labels.
Files and members of archives are written in the order of their names in every revision.

Rows are moved as bytes, so that no library decides how a cell is spelled.
"""

from __future__ import annotations

import csv
import operator
import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from mlebench.archives.writing import open_output
from mlebench.preparing.rows import (
    ENCODING,
    ByteRows,
    as_line,
    leading_cells,
    quoted,
    read_cells,
    read_header,
)
from mlebench.revision import GOLD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mlebench.definition import CompetitionDefinition

HEAD_BYTES = 1 << 12
"""Of a table, to see whether it lists test items: there may be gigabytes of others."""


def put_in_order(
    prepared: Path, definition: CompetitionDefinition, *, has_drawn_sample: bool = False
) -> set[bytes]:
    """Sort the sample submission and the other public tables that list only test items.

    Tables of the train part stay as they are. Returns the ids of the test items.
    """
    name, public = definition.submission.id, prepared / "public"
    sample = prepared / definition.sample_submission
    listed = KeyedTable.read(sample, name) if name and sample.is_file() else None
    if listed is None or not name:
        return set()
    ids = set(listed.keys)
    guesses = [cells for cells, _ in read_cells(sample.read_bytes())] if has_drawn_sample else []
    places = sorted_places(listed.keys)
    listed.write(sample, places)
    if guesses:
        assign_guesses(sample, guesses, definition.submission.targets)
    for home, _, names in os.walk(public):
        for table in sorted(table for table in names if table.endswith(".csv")):
            # Customers of a train table can all be test items; gigabytes must not be sorted here.
            if "train" in table or f"{home}/{table}" == str(sample):
                continue
            column = _column_like(f"{home}/{table}", name)
            if column is None:
                continue
            # Joined by `/`, so that the path keeps the log.
            file = public / os.path.relpath(home, public) / table
            if found := KeyedTable.read(file, column, among=ids):
                is_alike = found.keys == listed.keys
                found.write(file, places if is_alike else sorted_places(found.keys))
    return ids


def write_gold(prepared: Path, definition: CompetitionDefinition) -> None:
    """The answers as a plain submission, with the columns of the sample and no other."""
    gold = prepared / GOLD
    if definition.gold_submission != GOLD or gold.exists():
        return
    answers = prepared / definition.answers
    wanted, _ = read_header(prepared / definition.sample_submission)
    header, start = read_header(answers)
    data = answers.read_bytes()[start:]
    with open_output(gold) as target:
        target.write(as_line(wanted))
        if header == wanted:
            target.writelines((data, b"" if data.endswith(b"\n") or not data else b"\n"))
            return
        found = ByteRows.divide(data, [header.index(name) for name in wanted])
        rows = zip(*map(quoted, found.columns), strict=True)
        target.writelines(b",".join(row) + b"\n" for row in rows)


def _column_like(file: str, name: str) -> str | None:
    """The column with this name, else one that differs in upper and lower case only."""
    with open(file, "rb") as stream:
        first = stream.readline().decode(ENCODING)
    # A quick look: there may be a table for each item.
    if name.lower() not in first.lower():
        return None
    names = next(csv.reader([first]), [])
    like = [own for own in names if own.lower() == name.lower()]
    return name if name in names else like[0] if like else None


@dataclass(frozen=True)
class KeyedTable:
    """The rows of a table as bytes, with the cells of one column."""

    header: bytes
    rows: ByteRows

    @classmethod
    def read(cls, file: Path, name: str | None, among: set[bytes] | None = None) -> Self | None:
        """None if there is no such column, or if it has a cell that is not allowed."""
        header, start = read_header(file)
        if name not in header:
            return None
        place = header.index(name)
        with file.open("rb") as stream:
            first = stream.read(start)
            data = stream.read(HEAD_BYTES)
            if among is not None and not among.issuperset(leading_cells(data, place)):
                return None
            found = cls(first, ByteRows.divide(data + stream.read(), [place]))
        return None if among is not None and not among.issuperset(found.keys) else found

    @property
    def keys(self) -> list[bytes]:
        return self.rows.columns[0]

    def write(self, file: Path, places: NDArray[np.int64] | None) -> None:
        """Write the rows in the order of these places; nothing if there are none."""
        if places is not None:
            with open_output(file) as target:
                target.write(b"".join((self.header, *self.rows.lines(places))))


def sorted_places(keys: list[bytes]) -> NDArray[np.int64] | None:
    """The places of the keys in ascending order, equal ones as they are; None if they are sorted.

    Keys are sorted as numbers if all of them are, else as texts.
    """
    import numpy as np

    values: list[Any] = list(map(int, keys)) if all(map(bytes.isdigit, keys)) else keys
    if all(map(operator.le, values, values[1:])):
        return None
    if values is keys or max(values) > np.iinfo(np.int64).max:
        return np.array(sorted(range(len(values)), key=values.__getitem__))
    return np.argsort(np.array(values, np.int64), kind="stable")


def assign_guesses(file: Path, drawn: list[list[str]], targets: Collection[str]) -> None:
    """Assign the predictions to the rows of a sorted sample in the order they were drawn."""
    header, *rows = [cells for cells, _ in read_cells(file.read_bytes())]
    places = [header.index(name) for name in targets]
    for cells, guess in zip(rows, drawn[1:], strict=True):
        for place in places:
            cells[place] = guess[place]
    with open_output(file) as target:
        target.writelines(map(as_line, [header, *rows]))


def read_ids(prepared: Path, definition: CompetitionDefinition) -> set[bytes]:
    """The ids in the sample submission; none where it has no column of ids."""
    sample = prepared / definition.sample_submission
    found = KeyedTable.read(sample, definition.submission.id) if sample.is_file() else None
    return set(found.keys) if found else set()
