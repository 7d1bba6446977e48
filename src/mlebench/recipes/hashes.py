"""Draws and orders of revision v1.1: by SHA-256 of the items themselves.

Such a draw depends on no generator, on no library's version and on no order of the source, so it
tells nothing about a label to a reader of this code.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mlebench.archives.digests import raw_sha256
from mlebench.archives.raw import Raw
from mlebench.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

SALT = b"v1.1\0"


def hash_of(*parts: str | bytes) -> bytes:
    """The SHA-256 of the revision's name and these parts, each after its length."""
    pieces = [SALT]
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        pieces += (len(data).to_bytes(8, "big"), data)
    return hashlib.sha256(b"".join(pieces)).digest()


def hash_of_file(file: Raw) -> bytes:
    """The SHA-256 of the revision's name and the content of a file."""
    return bytes.fromhex(raw_sha256(file, salt=SALT))


def content_key(file: Raw) -> tuple[bytes, bytes]:
    """The sort key of a file: the hash of its content, then of its path.

    Without the second, files with equal content would keep the order of the source.
    """
    return hash_of_file(file), hash_of(file.path)


def in_hash_order(files: Iterable[Raw]) -> list[Raw]:
    """The files in the order of the hashes of their content."""
    return sorted(files, key=content_key)


def rows_in_hash_order(
    frame: pd.DataFrame, column: str, file_of: Callable[[Any], Raw]
) -> pd.DataFrame:
    """The rows in the order of the hashes of their files, which a column names."""
    keys = [content_key(file_of(value)) for value in frame[column]]
    return frame.iloc[sorted(range(len(keys)), key=keys.__getitem__)]


def draw(keys: Iterable[object], test_size: float | int) -> set[str]:
    """A share or a number of the distinct keys, as text: those whose hashes are the lowest."""
    ordered = sorted({str(key) for key in keys}, key=lambda key: hash_of("test", key))
    count = math.ceil(test_size * len(ordered)) if isinstance(test_size, float) else test_size
    if not 0 < count < len(ordered):
        found = f"the raw data has {len(ordered):,} items"
        raise DataError(f"{found}, too few to draw {count:,} for the test")
    return set(ordered[:count])


def split_by_hash(
    frame: pd.DataFrame, column: str, *, test_size: float | int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split by the distinct values of a column; rows keep their order."""
    return split_drawn(frame, column, draw(frame[column].unique(), test_size))


def split_drawn(
    frame: pd.DataFrame, column: str, drawn: set[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows without and with the drawn values, which are texts; rows keep their order."""
    is_test = frame[column].isin([key for key in frame[column].unique() if str(key) in drawn])
    return frame[~is_test], frame[is_test]
