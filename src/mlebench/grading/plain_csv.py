"""A quick reader for CSV files whose cells are plain numbers and texts.

What it gives is what pandas would give, in half the time. What it does not know at first sight (a
number in an odd spelling, True and False, CR line ends, a quote inside a bare cell) it leaves to
pandas, and nobody sees a difference.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.grading import csv_shape
from mlebench.grading.csv_shape import NEWLINE, QUOTE, Counts, count_pieces, count_signs, line_end
from mlebench.metrics.threads import on_blocks
from mlebench.native import BYTES, INTS, SIZE, kernel
from mlebench.tables.frames import Frame, column_index

HEAD = 64 << 10
SAMPLE = 1 << 10
"""Bytes, and the rest of their last line, that tell numbers from texts."""

MAX_TEXTS = 8
"""Columns of texts, for each of which room for the whole file is asked for (and hardly used)."""

COPIED_BEYOND = 16
"""Bytes behind a text that the kernel may write over."""

LARGE_DIGITS = 19
INTEGER = re.compile(r"\s*([+-]?\d{1,18})?\s*")
LARGE_INTEGER = re.compile(rf"\s*[+-]?\d{{{LARGE_DIGITS}}}")

IS_TEXT, CELLS, LETTERS, PRESENT, IS_FLOAT, GAPS, IS_HUGE, HAS_MINUS = range(8)
"""Where the facts of a column stand that the kernel takes and gives."""

IS_HIGH = 2
"""What the kernel says of bytes beyond ASCII."""

_plain_csv = kernel("plain_csv", BYTES, SIZE, SIZE, INTS, SIZE)


def read_plain(data: Any, counts: list[Counts] | None = None) -> Frame | None:
    """The table in these bytes, read on all processors; nothing where pandas must do it.

    What its pieces hold need not be counted where somebody knows it.
    """
    raw = np.frombuffer(data, np.uint8)
    head = bytes(raw[:HEAD])
    start = head.find(b"\n") + 1
    names = _names(head[:start])
    if len(names) < 2 or start == len(raw):
        # In a single column a blank line is a row that pandas leaves out.
        return None
    kinds = _kinds(_sample(raw, start), names)
    if kinds is None or sum(kinds) > MAX_TEXTS:
        return None
    return _read(_pieces(raw, start, counts or count_pieces(raw)), names, kinds)


def _names(line: bytes) -> list[str]:
    """The names in a header that is as simple as most, else none."""
    try:
        text = line.decode("utf-8")
        names = next(csv.reader([text], strict=True), [])
    except (UnicodeDecodeError, csv.Error):
        return []
    is_odd = any(sign in text for sign in "\r\0\ufeff") or "" in names
    return [] if is_odd or len(set(names)) < len(names) else names


def _sample(raw: Any, start: int) -> Any:
    """Some whole lines."""
    stop = min(start + SAMPLE, len(raw))
    is_open = np.count_nonzero(raw[start:stop] == QUOTE) % 2 == 1
    return raw[start : line_end(raw, stop, is_open=is_open)]


def _kinds(sample: Any, names: list[str]) -> list[bool] | None:
    """Which columns are texts; none if there are others than texts and numbers.

    A text cannot become a number further down, and if a number becomes a text reading will fail.
    """
    import pandas as pd

    lines = count_signs(sample).newlines
    if _read_piece(sample, lines, list(np.empty((len(names), lines), np.int64))) is not None:
        return [False] * len(names)
    data = bytes(sample)
    options: dict[str, Any] = {"header": None, "index_col": False}
    try:
        kinds = pd.read_csv(io.BytesIO(data), **options).dtypes
        texts = pd.read_csv(io.BytesIO(data), **options, dtype=str)
    except (pd.errors.ParserError, UnicodeDecodeError):
        return None
    are_texts = [kind == "str" and _is_text(texts[column]) for column, kind in kinds.items()]
    is_known = all(is_text or kinds[c].kind in "iuf" for c, is_text in enumerate(are_texts))
    return are_texts if is_known and len(are_texts) == len(names) else None


def _is_text(column: Any) -> bool:
    """Whether a cell proves it: none before it may be a whole number too large for pandas.

    After such a number pandas sees no gaps in a text any more.
    """
    cells = itertools.dropwhile(INTEGER.fullmatch, column.dropna())
    return not LARGE_INTEGER.match(next(cells, "0" * LARGE_DIGITS))


def _read(pieces: list[tuple[Any, int]], names: list[str], kinds: Sequence[bool]) -> Frame | None:
    rows = [lines for _, lines in pieces]
    ends = np.cumsum([0, *rows]).tolist()
    numbers = np.empty((len(kinds) - sum(kinds), ends[-1]), np.int64)
    places = np.cumsum([not kind for kind in kinds]) - 1

    def read(k: int) -> _Piece | None:
        piece, lines = pieces[k]
        cells = [None if kind else numbers[places[c]][ends[k] :] for c, kind in enumerate(kinds)]
        return _read_piece(piece, lines, cells)

    done: list[_Piece] = []
    for read_piece in on_blocks(read, range(len(pieces))):
        if read_piece is None:
            return None
        done.append(read_piece)
    columns = [
        _texts([piece.texts[c] for piece in done])
        if kind
        else _numbers(numbers[places[c]], np.array([piece.facts[c] for piece in done]), ends)
        for c, kind in enumerate(kinds)
    ]
    return None if any(column is None for column in columns) else _table(names, columns)


def _table(names: list[str], columns: list[Any]) -> Frame:
    import pandas as pd

    table = pd.DataFrame(dict(enumerate(columns)), copy=False)
    table.columns = column_index(tuple(names))
    return table


@dataclass(frozen=True)
class _Piece:
    facts: Any
    """Of each column; numbers lie in the table's own arrays already."""

    texts: dict[int, Any]


def _read_piece(piece: Any, rows: int, cells: list[Any]) -> _Piece | None:
    """Numbers go into the given cells, texts into arrays of their own."""
    facts = np.zeros((len(cells), HAS_MINUS + 1), np.int64)
    texts = {}
    for c, numbers in enumerate(cells):
        if numbers is not None:
            facts[c, CELLS] = numbers.ctypes.data
            continue
        ends, letters = np.empty(rows + 1, np.int64), np.empty(len(piece) + COPIED_BEYOND, np.uint8)
        present = np.full(rows // 8 + 1, 0xFF, np.uint8)
        facts[c, : PRESENT + 1] = 1, ends.ctypes.data, letters.ctypes.data, present.ctypes.data
        texts[c] = ends, letters, present
    found = _plain_csv(piece, len(piece), rows, facts, len(cells))
    if not found:
        return None
    made = {c: _as_arrow(*parts, int(facts[c, GAPS])) for c, parts in texts.items()}
    if found == IS_HIGH and not all(_is_valid(text) for text in made.values()):
        return None
    return _Piece(facts, made)


def _as_arrow(ends: Any, letters: Any, present: Any, gaps: int) -> Any:
    import pyarrow as pa

    buffers = [pa.py_buffer(present) if gaps else None, pa.py_buffer(ends)]
    buffers.append(pa.py_buffer(letters[: ends[-1]]))
    return pa.Array.from_buffers(pa.large_string(), len(ends) - 1, buffers, gaps)


def _is_valid(texts: Any) -> bool:
    """Whether the texts are UTF-8."""
    import pyarrow as pa

    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _texts(chunks: list[Any]) -> Any:
    """A column as pandas 3 stores texts."""
    import pandas as pd
    import pyarrow as pa

    kind = pd.StringDtype("pyarrow", na_value=np.nan)
    make: Any = pd.arrays.ArrowStringArray
    return make(pa.chunked_array(chunks, pa.large_string()), dtype=kind)


def _numbers(cells: Any, facts: Any, ends: list[int]) -> Any:
    """Whole numbers, unless there is a float in any piece: then the others become floats as well.

    Nothing where some are too large for numbers with a sign, and others need one.
    """
    is_float = facts[:, IS_FLOAT] > 0
    if facts[:, IS_HUGE].any():
        is_mixed = is_float.any() or facts[:, HAS_MINUS].any()
        return None if is_mixed else cells.view(np.uint64)
    if not is_float.any():
        return cells
    floats = cells.view(np.float64)
    for (start, stop), is_done in zip(itertools.pairwise(ends), is_float, strict=True):
        if not is_done:
            floats[start:stop] = cells[start:stop]
    return floats


def _pieces(raw: Any, start: int, counts: list[Counts]) -> list[tuple[Any, int]]:
    """The lines behind the header in pieces that processors can read side by side; their number."""
    lines_before = {start: 1}
    lines = quotes = 0
    for k, piece in enumerate(counts):
        place = k * csv_shape.PIECE
        end = line_end(raw, place, is_open=quotes % 2 == 1)
        if k and end > start:
            # Between the two only one line ends, if any.
            lines_before[end] = lines + 1
        lines, quotes = lines + piece.newlines, quotes + piece.quotes
    lines_before[len(raw)] = lines + int(raw[-1] != NEWLINE)
    edges = itertools.pairwise(sorted(lines_before.items()))
    return [(raw[place:stop], later - sooner) for (place, sooner), (stop, later) in edges]
