"""Unpacks to a scratch file what cannot be read in place: gzip and deflated archives."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from mlebench.archives.byte_range import ByteRange
from mlebench.archives.limits import UnpackingBudget, require_space
from mlebench.errors import DataError

PIECE = 1 << 20
LOOK_EVERY = 64
"""Pieces between two checks of the free disk space."""


def spool(source: BinaryIO, name: str, scratch: Path | None, size: int) -> ByteRange:
    """Write a stream to an unnamed scratch file, which is deleted when it is closed."""
    require_space(_folder(scratch), size)
    with _closed_on_error(_scratch_file(scratch)) as target:
        while piece := source.read(PIECE):
            target.write(piece)
        return _whole(target, name)


def gunzip(source: ByteRange, scratch: Path | None, budget: UnpackingBudget) -> ByteRange:
    """Unpack gzip, member after member, and count the bytes."""
    name = source.name.removesuffix(".gz").removesuffix(".tgz")
    with _closed_on_error(_scratch_file(scratch)) as target:
        try:
            _gunzip(source, target, budget, _folder(scratch))
        except zlib.error as error:
            raise source.damaged(str(error)) from None
        return _whole(target, name)


def _gunzip(source: ByteRange, target: BinaryIO, budget: UnpackingBudget, folder: Path) -> None:
    for count, piece in enumerate(_inflated_pieces(source), 1):
        budget.spend(len(piece), source.name)
        target.write(piece)
        if count % LOOK_EVERY == 0:
            require_space(folder, LOOK_EVERY * PIECE)


def _inflated_pieces(source: ByteRange) -> Iterator[bytes]:
    inflater = zlib.decompressobj(31)
    offset, rest = 0, b""
    while True:
        if not rest:
            rest = source.read_at(offset, PIECE)
            offset += len(rest)
        if inflater.eof:
            # Padding with zeros after the last member is common and harmless.
            rest = rest.lstrip(b"\0")
            if rest:
                inflater = zlib.decompressobj(31)
        piece = inflater.decompress(rest, PIECE)
        if not piece and not rest:
            break
        rest = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
        yield piece
    if not inflater.eof:
        raise DataError(f"{source.name} is cut short")


def _scratch_file(scratch: Path | None) -> BinaryIO:
    return tempfile.TemporaryFile(dir=scratch, prefix=".spool-")


@contextmanager
def _closed_on_error(target: BinaryIO) -> Iterator[BinaryIO]:
    try:
        yield target
    except BaseException:
        target.close()
        raise


def _folder(scratch: Path | None) -> Path:
    return scratch or Path(tempfile.gettempdir())


def _whole(target: BinaryIO, name: str) -> ByteRange:
    target.flush()
    return ByteRange(target, 0, target.tell(), name)
