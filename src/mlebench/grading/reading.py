"""Reading a CSV that an agent wrote, as the published benchmark does: pandas with its defaults.

pandas decides what the cells are, so that oddities (a repeated name, a missing last field, a field
too many) count as they do there. Before it sees the bytes, they are checked against limits: pandas
alone would cut texts at a NUL, fill the memory from a few bytes, or never return after a bare CR.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.tables.reading import read_exactly

if TYPE_CHECKING:
    import pandas as pd

    Names = Collection[str]

MIB = 1 << 20
BLOCK = 16 * MIB
HEADER_BYTES = 64 * 1024
HEADER_FIELDS = 10_000
EXTRA_FIELDS = 100
"""Fields of the first row beyond the header; pandas makes an index of them."""

SPARE_CELLS = 1_000_000
ROW_BYTES = 16 << 10
MOST_TEXT_BYTES = 256 * MIB
BOM = b"\xef\xbb\xbf"
BLANK = b" \t\r\n" + BOM
QUOTED_CELL = re.compile(rb'(?:^(?:\xef\xbb\xbf)?|(?<=[,\r\n]))"[^"]*(?:""[^"]*)*(?:"|\Z)')
"""As pandas reads it: a quote inside a cell that does not begin with one is a plain character."""

WIDER_LINE = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
OPEN_QUOTE = re.compile(r"EOF inside string starting at row (\d+)")
"""Errors of pandas."""

BARE_RETURN = re.compile(rb"\r(?!\n)")


@dataclass(frozen=True)
class Limits:
    """How large an honest submission can be at most; the defaults serve when nothing is known."""

    max_bytes: int = 4096 * MIB
    max_rows: int = 200_000_000

    @classmethod
    def beside(cls, sample: Path) -> Limits:
        """Generous multiples of the sample submission.

        No limit depends on the answers: an agent that is told a limit must learn nothing.
        """
        if not sample.is_file():
            return cls()
        size = sample.stat().st_size
        with sample.open("rb") as stream:
            lines = sum(block.count(b"\n") for block in iter(lambda: stream.read(BLOCK), b""))
        # A sample may have a word where a prediction has a mask or many boxes.
        texts = min(lines * ROW_BYTES, MOST_TEXT_BYTES)
        return cls(4 * size + texts + 64 * MIB, 2 * lines + 1_000_000)


@dataclass(frozen=True)
class SubmissionTable:
    """What a submission contains, and what is odd about the file."""

    table: pd.DataFrame
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Shape:
    """Facts from a first scan of the bytes."""

    names: list[str]
    first_width: int
    """Fields of the first row after the header, or of the header if there is no row."""

    lines: int
    commas: int
    """Outside quotes."""

    @property
    def width(self) -> int:
        return max(len(self.names), self.first_width)


def parse_submission(
    data: bytes | memoryview, name: str, limits: Limits | None = None, *, texts: Names = ()
) -> SubmissionTable:
    """The table in the bytes of a CSV; raises InvalidSubmissionError with the reason.

    Args:
        texts: columns whose text is read unchanged.
    """
    text = bytes(data)
    _require_text(text, name)
    warnings = []
    if b"\r" in text and BARE_RETURN.search(text):
        text = _with_newlines(text)
        warnings.append("lines end with a bare CR")
    shape = _shape_of(text, name)
    _require_size(shape, len(text), name, limits or Limits())
    try:
        table, retyped = read_csv(text, texts)
    except UnicodeDecodeError as error:
        raise InvalidSubmissionError(
            f"{name} is not UTF-8 text: byte 0x{error.object[error.start]:02x} is in no character"
        ) from None
    except (ValueError, OverflowError, IndexError) as error:
        # Whatever pandas cannot read, the published grader cannot either.
        raise InvalidSubmissionError(f"{name} is not a readable CSV: {_plain(error)}") from None
    warnings += _oddities(shape)
    warnings += [f"column {column!r} has numbers too large: read as text" for column in retyped]
    return SubmissionTable(table, tuple(warnings))


def _plain(error: Exception) -> str:
    """What pandas could not read, in our words where it is a known case."""
    said = " ".join(str(error).split())
    if found := WIDER_LINE.search(said):
        return f"line {found[2]} has {found[3]} fields, expected {found[1]}"
    if found := OPEN_QUOTE.search(said):
        return f"the quoted cell that begins in row {found[1]} has no end"
    return said.rpartition("C error: ")[2]


def read_csv(
    text: bytes, texts: Names = (), *, columns: Names | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """A CSV as pandas 2.2 types it, floats exact, whatever pandas is installed.

    Returns the table without its index, and the columns of numbers that became texts, except
    those in `texts`.

    Args:
        texts: columns whose text is read unchanged.
        columns: the columns to read; all by default.
    """
    # Imported here with pandas: commands that only read records import this module, too.
    import pandas as pd

    from mlebench.grading.column_types import with_published_types

    def parse(**options: Any) -> pd.DataFrame:
        wanted = None if columns is None else columns.__contains__
        table: pd.DataFrame = pd.read_csv(
            io.BytesIO(text), low_memory=False, usecols=wanted, **options
        )
        return table

    def parse_texts() -> pd.DataFrame:
        return parse(dtype=str, na_filter=False)

    table, retyped = with_published_types(read_exactly(parse).reset_index(drop=True), parse_texts)
    spelled = [name for name in texts if name in table]
    if spelled:
        table[spelled] = read_texts(text, spelled)[spelled]
    return table, [name for name in retyped if name not in spelled]


def read_texts(text: bytes, names: list[str]) -> pd.DataFrame:
    """Some columns of a readable CSV, their text unchanged."""
    import pandas as pd

    texts: pd.DataFrame = pd.read_csv(
        io.BytesIO(text), dtype=str, na_filter=False, low_memory=False, usecols=names
    )
    return texts.reset_index(drop=True)


def _require_text(text: bytes, name: str) -> None:
    if not text[:HEADER_BYTES].strip(BLANK) and not text.strip(BLANK):
        raise InvalidSubmissionError(f"{name} is empty, expected a CSV with a header line")
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InvalidSubmissionError(f"{name} is UTF-16 text, expected UTF-8")
    if (place := text.find(b"\0")) >= 0:
        line = text.count(b"\n", 0, place) + 1
        raise InvalidSubmissionError(f"{name} has a NUL byte in line {line}, expected UTF-8 text")


def _with_newlines(text: bytes) -> bytes:
    """LF for each bare CR outside quotes: after `CR space` pandas 3.0 repeats rows forever."""
    parts, end = [], 0
    for quoted in QUOTED_CELL.finditer(text):
        parts += [BARE_RETURN.sub(b"\n", text[end : quoted.start()]), quoted[0]]
        end = quoted.end()
    return b"".join([*parts, BARE_RETURN.sub(b"\n", text[end:])])


def _outside(text: bytes) -> bytes:
    """The bytes after an even number of quotes; fast for any number of quotes."""
    import numpy as np

    marks = np.frombuffer(text, np.uint8)
    is_quote = (marks == ord('"')).view(np.uint8)
    return bytes(marks[np.bitwise_xor.accumulate(is_quote) == 0])


def csv_rows(text: str) -> Iterator[list[str]]:
    """The rows of a CSV whose cells may have any length."""
    # The limit holds for the whole process, and its default rejects cells of more than 128 KiB.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    return csv.reader(io.StringIO(text, newline=""))


def header_of(text: bytes) -> list[str]:
    """The names in the header of a CSV that `parse_submission` has accepted."""
    return next(_first_rows(text)[1])


def _first_rows(text: bytes) -> tuple[str, Iterator[list[str]]]:
    start = text[: HEADER_BYTES + 1].removeprefix(BOM).lstrip(b"\r\n")
    head = start.decode("utf-8", "replace")
    return head, csv_rows(head)


def _shape_of(text: bytes, name: str) -> _Shape:
    """Count lines and fields; the header is bounded before it is parsed."""
    head, rows = _first_rows(text)
    try:
        names, row = next(rows), next(rows, [])
    except (StopIteration, csv.Error) as error:
        raise InvalidSubmissionError(f"{name} has no readable header line: {error}") from None
    if len(text) > HEADER_BYTES and len(next(io.StringIO(head, newline=""))) >= len(head):
        raise InvalidSubmissionError(f"the header of {name} is longer than {HEADER_BYTES:,} bytes")
    if len(names) > HEADER_FIELDS:
        raise InvalidSubmissionError(
            f"the header of {name} has {len(names):,} fields, more than {HEADER_FIELDS:,}"
        )
    outside = _outside(text) if b'"' in text else text
    lines = _count(outside, b"\n") + (not outside.endswith(b"\n"))
    return _Shape(names, len(row) or len(names), lines, _count(outside, b","))


def _count(text: bytes, mark: bytes) -> int:
    """`text.count(mark)` for one byte that occurs often: ten times as fast."""
    import numpy as np

    marks = np.frombuffer(text, np.uint8)
    starts = range(0, len(marks), BLOCK)
    return sum(int(np.count_nonzero(marks[k : k + BLOCK] == mark[0])) for k in starts)


def _require_size(shape: _Shape, size: int, name: str, limits: Limits) -> None:
    rows = shape.lines - 1
    if rows > limits.max_rows:
        raise InvalidSubmissionError(
            f"{name} has {rows:,} rows, more than the {limits.max_rows:,} that a submission may"
            " have"
        )
    if shape.first_width > len(shape.names) + EXTRA_FIELDS:
        raise InvalidSubmissionError(
            f"the first row of {name} has {shape.first_width:,} fields, its header has"
            f" {len(shape.names):,}"
        )
    if shape.lines * shape.width > 2 * size + SPARE_CELLS:
        # pandas fills short rows up: a small file would fill the memory.
        raise InvalidSubmissionError(
            f"most rows of {name} are much shorter than its header of {len(shape.names):,} fields"
        )


def _oddities(shape: _Shape) -> Iterator[str]:
    """Warnings about what regular files do not have, one sentence each."""
    names = shape.names
    repeated = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if repeated is not None:
        yield f"column {repeated[:60]!r} is named twice in the header"
    if "" in names:
        yield f"column {names.index('') + 1} of the header has no name"
    if shape.first_width > len(names):
        yield (
            f"rows have {shape.first_width} fields, the header has {len(names)}: the first"
            f" {shape.first_width - len(names)} are ignored"
        )
    elif shape.commas < shape.lines * (len(names) - 1):
        yield f"there are empty lines, or rows with fewer than {len(names)} fields"
