"""Reading a submission: a hostile file of any size or kind becomes a table or a reason.

The bytes are judged before pandas sees them: a regular file, within the size limit, UTF-8, no NUL,
a header with unique names, every line as wide as the header. pandas alone would shift columns, cut
texts at a NUL, fetch addresses, or spend minutes on a repeated header.
"""

from __future__ import annotations

import csv
import io
import os
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mlebench.data.frames import Frame
from mlebench.data.tables import read_at_once
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.csv_shape import check_shape

MIB = 1 << 20
HEADER_BYTES = 64 * 1024
BOM = b"\xef\xbb\xbf"
NEWLINE = ord("\n")
BLANK = b" \t\r\n" + BOM


@dataclass(frozen=True)
class Limits:
    """How large an honest submission can be at most; the defaults serve when nothing is known."""

    max_bytes: int = 4096 * MIB
    max_rows: int = 200_000_000

    @classmethod
    def beside(cls, files: list[Path]) -> Limits:
        """Generous multiples of the largest file known to be a good submission, or its answers."""
        known = [file for file in files if file.is_file()]
        if not known:
            return cls()
        largest = max(known, key=lambda file: file.stat().st_size)
        return cls(4 * largest.stat().st_size + 64 * MIB, 2 * count_lines(largest) + 1000)


def count_lines(file: Path) -> int:
    """Line ends in a file: at least the number of its rows."""
    import numpy as np

    block, lines = np.empty(MIB // 4, dtype=np.uint8), 0
    with file.open("rb", buffering=0) as stream:
        while size := stream.readinto(block.data):
            lines += int(np.count_nonzero(block[:size] == NEWLINE))
    return lines


def read_submission(path: Path, limits: Limits | None = None) -> Frame:
    """The submission as a table, typed as pandas guesses, floats exact; else a reason."""
    limits = limits or Limits()
    return parse_submission(read_regular_file(path, limits.max_bytes), path.name, limits)


def read_regular_file(path: Path, max_bytes: int) -> bytes:
    """The bytes of a regular file; links, folders, pipes and too large files get a reason."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        raise InvalidSubmissionError(f"{path.name} does not exist") from None
    except OSError as error:
        kind = "a symbolic link" if path.is_symlink() else f"unreadable ({error.strerror})"
        raise InvalidSubmissionError(f"{path.name} is {kind}, expected a regular file") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidSubmissionError(
                f"{path.name} is {_kind(status.st_mode)}, expected a regular file"
            )
        if status.st_size > max_bytes:
            raise InvalidSubmissionError(_too_large(path.name, status.st_size, max_bytes))
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            data = stream.read(max_bytes + 1)
    finally:
        os.close(descriptor)
    if len(data) > max_bytes:
        raise InvalidSubmissionError(_too_large(path.name, len(data), max_bytes))
    return data


def parse_submission(data: bytes, name: str, limits: Limits | None = None) -> Frame:
    """Judge the bytes of a CSV, then let pandas read them."""
    limits = limits or Limits()
    data = _utf8_without_mark(data, name)
    columns = _header(data, name)
    rows = check_shape(data, name, columns=len(columns), max_rows=limits.max_rows)
    return _parse(data, name, len(columns), rows)


def _utf8_without_mark(data: bytes, name: str) -> bytes:
    if not data[:HEADER_BYTES].strip(BLANK) and not data.strip(BLANK):
        raise InvalidSubmissionError(f"{name} is empty, expected a CSV with a header line")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InvalidSubmissionError(f"{name} is UTF-16 text, expected UTF-8")
    position = data.find(b"\0")
    if position >= 0:
        raise InvalidSubmissionError(
            f"{name} holds a NUL byte in line {_line(data, position)}, expected UTF-8 text"
        )
    if data.startswith(BOM):
        data = data[len(BOM) :]
    try:
        if not data.isascii() and not _is_utf8(data):
            data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidSubmissionError(
            f"{name} is not UTF-8 text: byte 0x{data[error.start]:02x} in line"
            f" {_line(data, error.start)}"
        ) from None
    if data.startswith(BOM):
        raise InvalidSubmissionError(
            f"{name} starts with two byte-order marks, expected one at most"
        )
    if b"\r" in data and b"\n" not in data:
        raise InvalidSubmissionError(f"{name} has bare CR line ends, expected LF or CR LF")
    return data


def _is_utf8(data: bytes) -> bool:
    """Whether bytes that are not empty are UTF-8, found in half of the time that decoding takes."""
    import pyarrow as pa

    ends = pa.array([0, len(data)], type=pa.int64()).buffers()[1]
    text = pa.Array.from_buffers(pa.large_string(), 1, [None, ends, pa.py_buffer(data)])
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _header(data: bytes, name: str) -> list[str]:
    """The column names; a header is bounded and its names are unique."""
    start = data[: HEADER_BYTES + 1].lstrip(b"\r\n")
    try:
        text = start.decode("utf-8", "ignore")
        columns = next(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (StopIteration, csv.Error) as error:
        raise InvalidSubmissionError(f"{name} has no readable header line: {error}") from None
    if len(start) > HEADER_BYTES and len(next(io.StringIO(text, newline=""))) >= len(text):
        raise InvalidSubmissionError(f"the header of {name} is longer than {HEADER_BYTES:,} bytes")
    seen: set[str] = set()
    for column in columns:
        if column in seen:
            raise InvalidSubmissionError(
                f"column {column[:60]!r} stands twice in the header of {name}"
            )
        seen.add(column)
    return columns


def _parse(data: bytes, name: str, columns: int, rows: int) -> Frame:
    import pandas as pd

    options = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}
    with warnings.catch_warnings():
        # Reached only when our own count of the lines disagrees with pandas'.
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            with _in_memory(data) as path:
                table = read_at_once(path) if path else None
            if table is None:
                table = pd.read_csv(io.BytesIO(data), index_col=False, low_memory=False, **options)
        except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
            raise InvalidSubmissionError(f"{name} is not a readable CSV: {error}") from None
    return table


@contextmanager
def _in_memory(data: bytes) -> Iterator[Path | None]:
    """The judged bytes under a path that nobody else can write to, where the system has such."""
    if not hasattr(os, "memfd_create"):
        yield None
        return
    descriptor = os.memfd_create("submission")
    try:
        with os.fdopen(descriptor, "wb", closefd=False) as stream:
            stream.write(data)
        yield Path(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


def _kind(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def _too_large(name: str, size: int, limit: int) -> str:
    return f"{name} has {size:,} bytes, more than the {limit:,} that a submission may have"
