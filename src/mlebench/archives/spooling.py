"""Unpacks to a scratch file what cannot be read in place: gzip and deflated archives."""

from __future__ import annotations

import gzip
import shutil
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
    """Write a stream to a scratch file."""
    require_space(_folder(scratch), size)
    with scratch_file(scratch) as target:
        shutil.copyfileobj(source, target, PIECE)
        target.flush()
        return ByteRange.of_file(target, name)


def gunzip(source: ByteRange, scratch: Path | None, budget: UnpackingBudget) -> ByteRange:
    """Unpack gzip, member after member, and count the bytes."""
    with scratch_file(scratch) as target, gzip.GzipFile(fileobj=source.stream()) as stream:
        try:
            for count, piece in enumerate(iter(lambda: stream.read(PIECE), b""), 1):
                budget.spend(len(piece), source.name)
                target.write(piece)
                if count % LOOK_EVERY == 0:
                    require_space(_folder(scratch), LOOK_EVERY * PIECE)
        except EOFError:
            raise DataError(f"{source.name} is cut short") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise source.damaged(str(error)) from None
        target.flush()
        name = source.name.removesuffix(".gz").removesuffix(".tgz")
        return ByteRange.of_file(target, name, source.place)


@contextmanager
def scratch_file(scratch: Path | None) -> Iterator[BinaryIO]:
    """An unnamed file, which is deleted when it is closed: here after an error, else by the caller.

    Args:
        scratch: the folder that determines the disk.
    """
    target = tempfile.TemporaryFile(dir=scratch, prefix=".spool-")  # noqa: SIM115 (it stays open)
    try:
        yield target
    except BaseException:
        target.close()
        raise


def _folder(scratch: Path | None) -> Path:
    return scratch or Path(tempfile.gettempdir())
