"""The rows of a CSV as bytes, with some of their cells: fast enough for every table of a test.

numpy finds the ends of all cells of a table that is quoted as RFC 4180 says and whose rows are
equally long. Others are read by `csv`, which is many times slower and accepts more.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ENCODING = "latin-1"
"""Maps every byte to a character, whatever the encoding of a file is."""

END, RETURN, QUOTE, COMMA = b'\n\r",'
SPECIAL = re.compile(rb'[",\r\n]')


@dataclass(frozen=True)
class ByteRows:
    """The rows of a table without its header, and the cells of some of its columns.

    Cells are without quotes; one that a row lacks is empty.
    """

    data: bytes
    borders: NDArray[np.int64]
    """The start of each row, then the end of the last one."""

    columns: list[list[bytes]]

    @classmethod
    def divide(cls, data: bytes, places: Sequence[int]) -> Self:
        """The rows of these bytes, with the columns at these places."""
        import numpy as np

        if data and not data.endswith(b"\n"):
            # The last line may lack its end, and be moved.
            data += b"\n"
        ends = find_ends(data)
        if ends is None:
            rows = list(read_cells(data))
            borders = np.cumsum([0, *(len(line) for _, line in rows)])
            return cls(data, borders, [[_cell(row, place) for row, _ in rows] for place in places])
        borders = np.append(0, ends[:, -1] + 1)
        letters = np.frombuffer(data, np.uint8)
        ends[:, -1] -= letters[ends[:, -1] - 1] == RETURN
        columns = []
        for place in places:
            starts = ends[:, place - 1] + 1 if place else borders[:-1]
            is_quoted = letters[starts] == QUOTE
            cells = _cut(data, starts + is_quoted, ends[:, place] - is_quoted)
            columns.append([c.replace(b'""', b'"') for c in cells] if is_quoted.any() else cells)
        return cls(data, borders, columns)

    def lines(self, places: NDArray[np.int64] | None = None) -> list[bytes]:
        """The bytes of all rows with the ends of their lines, or of those at these places."""
        starts, ends = self.borders[:-1], self.borders[1:]
        return _cut(
            self.data, *((starts, ends) if places is None else (starts[places], ends[places]))
        )


def find_ends(data: bytes) -> NDArray[np.int64] | None:
    """The end of each cell, by row; None unless quotes are plain and all rows equally long."""
    import numpy as np

    letters = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero((letters == COMMA) | (letters == END))
    returns = np.flatnonzero(letters == RETURN) if b"\r" in data else ends[:0]
    if b'"' in data:
        quotes = np.flatnonzero(letters == QUOTE)
        if not _are_plain(quotes, letters):
            return None
        ends, returns = (at[np.searchsorted(quotes, at) % 2 == 0] for at in (ends, returns))
    rows = np.count_nonzero(letters[ends] == END)
    if not rows or len(ends) % rows or (letters[returns + 1] != END).any():
        return None
    table = ends.reshape(rows, -1)
    return table if (letters[table[:, -1]] == END).all() else None


def _are_plain(quotes: NDArray[np.int64], letters: NDArray[np.uint8]) -> bool:
    """Whether each quote is at an end of a cell, or one of two that represent a quote inside it."""
    # Of these two the first counts as closing, the second as opening.
    import numpy as np

    opening, closing = quotes[::2], quotes[1::2]
    before, after = letters[opening[opening > 0] - 1], letters[closing + 1]
    return bool(
        len(opening) == len(closing)
        and np.isin(before, (COMMA, END, QUOTE)).all()
        and np.isin(after, (COMMA, END, RETURN, QUOTE)).all()
    )


def _cut(data: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[bytes]:
    return [data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def leading_cells(data: bytes, place: int) -> list[bytes]:
    """The cells of the first rows of a table; the last one, which may be cut, is left out."""
    return [_cell(cells, place) for cells, _ in read_cells(data)][:-1]


def _cell(cells: Sequence[str], place: int) -> bytes:
    return cells[place].encode(ENCODING) if place < len(cells) else b""


def read_header(file: Path) -> tuple[list[str], int]:
    """The names of the columns, and how many bytes they take; no names for an empty file."""
    with file.open("rb") as stream:
        lines: list[bytes] = []
        reader = csv.reader(_texts(stream, lines))
        return next(reader, []), len(b"".join(lines))


def read_cells(data: bytes) -> Iterator[tuple[list[str], bytes]]:
    """All cells of each row, and its bytes; a cell in quotes may have several lines."""
    # The limit holds for the process; the default would reject long cells.
    csv.field_size_limit(max(csv.field_size_limit(), len(data)))
    lines: list[bytes] = []
    for cells in csv.reader(_texts(io.BytesIO(data), lines)):
        line = b"".join(lines)
        lines.clear()
        yield cells, line if line.endswith(b"\n") else line + b"\n"


def _texts(source: Iterable[bytes], read: list[bytes]) -> Iterator[str]:
    """The lines as texts, each of which is noted when it is read."""
    for line in source:
        read.append(line)
        yield line.decode(ENCODING)


def as_line(cells: Sequence[str]) -> bytes:
    return b",".join(quoted([cell.encode(ENCODING) for cell in cells])) + b"\n"


def quoted(cells: list[bytes]) -> list[bytes]:
    """The cells with quotes where they are needed."""
    if SPECIAL.search(b"".join(cells)) is None:
        return cells
    return [b'"%b"' % c.replace(b'"', b'""') if SPECIAL.search(c) else c for c in cells]
