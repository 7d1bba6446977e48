"""Renaming: the neutral names that an agent sees, and the way back for its submission.

Only confined children call `restore`: it parses what an agent wrote.
"""

from __future__ import annotations

import csv
import io
import re
from functools import cached_property
from pathlib import Path

import msgspec

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.reading import csv_rows
from mlebench.records.codec import RecordFormat

SCHEMA = 1
WORDS = re.compile(r"[^\s'\"`,;:()]+")


class Renaming(msgspec.Struct, frozen=True, dict=True):
    """A reversible map, as it is stored outside the sandbox."""

    level: str
    files: dict[str, str]
    """Neutral name by original name, as are the columns."""

    columns: dict[str, str]
    id_column: str
    """The original name of the first column of a submission."""

    ids: dict[str, str] = {}
    """At L3 the neutral id by original id, for the ids of the test data."""

    schema: int = SCHEMA

    def restore(self, data: bytes) -> bytes:
        """A submission with the original columns and ids; what is unknown stays as it is.

        Raises:
            InvalidSubmissionError: the file is not CSV.
        """
        head, newline, rest = data.partition(b"\n")
        try:
            header = next(csv.reader([head.decode("utf-8-sig").rstrip("\r")]), [])
            original = [self._original_columns.get(name, name) for name in header]
            if not self.ids:
                return _as_csv([original]).rstrip("\n").encode() + newline + rest
            rows = list(csv_rows(data.decode("utf-8-sig")))
        except (UnicodeDecodeError, csv.Error) as error:
            raise InvalidSubmissionError(f"the file cannot be read as CSV: {error}") from None
        place = header.index(found) if (found := self.columns[self.id_column]) in header else -1
        for row in rows[1:]:
            if 0 <= place < len(row):
                row[place] = self._original_ids.get(row[place], row[place])
        return _as_csv([original, *rows[1:]]).encode()

    def hide(self, message: str) -> str:
        """A message to the agent with neutral names and ids only."""
        for old in sorted(self.columns, key=len, reverse=True):
            message = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", self.columns[old], message)
        return WORDS.sub(lambda found: self.ids.get(found[0], found[0]), message)

    @cached_property
    def _original_columns(self) -> dict[str, str]:
        return {new: old for old, new in self.columns.items()}

    @cached_property
    def _original_ids(self) -> dict[str, str]:
        return {new: old for old, new in self.ids.items()}


def _as_csv(rows: list[list[str]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


_RENAMING = RecordFormat(Renaming, SCHEMA)
write_renaming = _RENAMING.write


def read_renaming(path: Path | str | None) -> Renaming | None:
    """The stored map; None without a path."""
    return _RENAMING.read(Path(path)) if path else None
