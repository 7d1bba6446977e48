"""An independent checker of submissions, made from the sample submission with the csv module only.

It knows little, so that it is surely right: what it refuses, validation must refuse as well.
"""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass

PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Checker:
    """What the sample submission shows."""

    header: list[str]
    ids: frozenset[str]
    id: str | None
    rows: int
    decimals: frozenset[str]
    """Columns in which every cell of the sample has a decimal point."""

    @classmethod
    def from_sample(cls, text: bytes) -> Checker:
        header, *rows = csv.reader(io.StringIO(text.decode("utf-8-sig"), newline=""))
        columns = dict(zip(header, zip(*rows, strict=True), strict=True))
        first = header[0] or header[1]
        is_id = len(set(columns[first])) == len(rows)
        ids = {*columns[first], *map(_normal, columns[first])}
        decimals = {
            name
            for name, cells in columns.items()
            if all(PLAIN.fullmatch(cell) and "." in cell for cell in cells)
        }
        return cls(
            header,
            frozenset(ids),
            first if is_id else None,
            len(rows),
            frozenset(decimals - {first}),
        )

    def problem(self, data: bytes) -> str | None:
        """Why the file is surely wrong, or nothing."""
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return "no UTF-8"
        if "\0" in text:
            return "a NUL"
        try:
            rows = list(csv.reader(io.StringIO(text.strip("\r\n"), newline="")))
        except csv.Error as error:
            # The module's own limit of a field; nothing is known then.
            return None if "field larger" in str(error) else str(error)
        if not rows:
            return "empty"
        header, body = rows[0], rows[1:]
        if len(set(header)) != len(header):
            return "a name twice"
        if not set(header) <= set(self.header):
            return "a foreign column"
        return next((found for row in body if (found := self._row(header, row))), self._count(body))

    def _count(self, body: list[list[str]]) -> str | None:
        return None if len(body) == self.rows else f"{len(body)} rows"

    def _row(self, header: list[str], row: list[str]) -> str | None:
        if len(row) != len(header):
            return f"a row of {len(row)} fields"
        cells = dict(zip(header, row, strict=True))
        if self.id is not None and self.id in cells and cells[self.id] not in self.ids:
            return f"id {cells[self.id][:40]!r}"
        for name in self.decimals & cells.keys():
            if not PLAIN.fullmatch(cells[name]) or not math.isfinite(float(cells[name])):
                return f"{cells[name][:40]!r} in {name!r}"
        return None


def _normal(spelling: str) -> str:
    """A whole number as a program writes it that has read it."""
    return str(int(spelling)) if re.fullmatch(r"-?\d{1,18}", spelling) else spelling
