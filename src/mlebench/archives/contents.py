"""Digests of the content of files whose bytes depend on the library that wrote them."""

from __future__ import annotations

import hashlib
import zlib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mlebench.archives.digests import members_digest, raw_sha256
from mlebench.archives.raw import RawFolder
from mlebench.archives.unpacking import unpacked
from mlebench.errors import DataError

PARQUET = ".parquet"


def depends_on_library(name: str) -> bool:
    """Whether another version of a library may write the same content with other bytes."""
    return name.endswith((".zip", ".7z", ".gz", ".tgz", PARQUET))


def library_of(name: str) -> str:
    """The library that determines the bytes of such a file, with its installed version."""
    if name.endswith(PARQUET):
        return f"pyarrow {version('pyarrow')}"
    if name.endswith(".7z"):
        return f"py7zr {version('py7zr')}"
    return f"zlib {zlib.ZLIB_RUNTIME_VERSION}"


def content_digest(file: Path) -> str:
    """The digest of a file's content: names and bytes of members, or the values of a table."""
    if file.name.endswith(PARQUET):
        return _table_digest(file)
    with unpacked(RawFolder(file.parent) / file.name) as content:
        return members_digest((member.path, raw_sha256(member)) for member in content.walk())


def _table_digest(file: Path) -> str:
    """Covers names, types, nulls and values of each column, whatever the row groups are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as table:
            columns = [_ColumnDigest(f.name, str(f.type)) for f in table.schema_arrow]
            for batch in table.iter_batches():
                for column, values in zip(columns, batch.columns, strict=True):
                    column.add(values)
    except pa.ArrowException as error:
        raise DataError(f"{file.name} is not a table that can be read: {error}") from None
    total = hashlib.sha256()
    for column in columns:
        total.update(column.result())
    return total.hexdigest()


class _ColumnDigest:
    """Hashes nulls and values separately, so that the boundaries of batches do not matter."""

    def __init__(self, name: str, kind: str) -> None:
        self.head = f"{name}\0{kind}\0".encode()
        self.gaps, self.values = hashlib.sha256(), hashlib.sha256()

    def add(self, values: Any) -> None:
        import pyarrow as pa

        self.gaps.update(values.is_valid().to_numpy(zero_copy_only=False).tobytes())
        kind = values.type
        if pa.types.is_integer(kind) or pa.types.is_floating(kind):
            filled = values.fill_null(0)
            self.values.update(filled.to_numpy(zero_copy_only=False).tobytes())
        else:
            self.values.update("\0".join(map(repr, values.to_pylist())).encode() + b"\0")

    def result(self) -> bytes:
        return self.head + self.gaps.digest() + self.values.digest()
