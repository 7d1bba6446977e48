"""A range of bytes of a file, read in place: an archive, or one stored inside another."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from mlebench.errors import DataError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BUFFER_BYTES = 1 << 20


@dataclass(eq=False)
class ByteRange:
    """Bytes of an open file from `start` on; reading has no position, so threads may share it."""

    file: BinaryIO
    start: int
    size: int
    name: str
    """For messages."""

    place: str = ""
    """The path of an archive through those that contain it; empty for the outermost."""

    @classmethod
    def of_file(cls, file: BinaryIO, name: str, place: str = "") -> ByteRange:
        """All bytes of an open file, which the caller closes."""
        return cls(file, 0, os.fstat(file.fileno()).st_size, name, place)

    def part(self, start: int, size: int, name: str) -> ByteRange:
        """A range inside this one."""
        if start < 0 or size < 0 or start + size > self.size:
            raise self.damaged(f"{name!r} extends beyond its end")
        return ByteRange(self.file, self.start + start, size, name)

    def read_at(self, offset: int, count: int) -> bytes:
        """Up to `count` bytes, fewer only at the end."""
        count = min(count, self.size - offset)
        if count <= 0:
            return b""
        try:
            handle, start = self.file.fileno(), self.start + offset
            data = os.pread(handle, count, start)
            while len(data) < count:
                more = os.pread(handle, count - len(data), start + len(data))
                if not more:
                    raise self.damaged("it became shorter while it was read")
                data += more
        except OSError as error:
            raise DataError(f"{self.name} cannot be read: {error.strerror}") from None
        return data

    def stream(self) -> BinaryIO:
        """The bytes as a file."""
        return _RangeStream(self).buffered()

    def close(self) -> None:
        self.file.close()

    def damaged(self, what: str) -> DataError:
        return DataError(f"{self.name} is damaged: {what}")


class SeekableStream(io.RawIOBase):
    """A stream of known size; a subclass reads from its position and may restrict where it goes."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self.position = 0

    def read_next(self, count: int) -> bytes:
        """Up to `count` bytes at the position, which moves past them."""
        raise NotImplementedError

    def move(self, position: int) -> None:
        """Continue at another position."""
        self.position = position

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.size}[whence]
        self.move(max(0, base + offset))
        return self.position

    def readinto(self, buffer: WriteableBuffer) -> int:
        target = memoryview(buffer)
        data = self.read_next(len(target))
        target[: len(data)] = data
        return len(data)

    def buffered(self) -> BinaryIO:
        return io.BufferedReader(cast(io.RawIOBase, self), BUFFER_BYTES)


class _RangeStream(SeekableStream):
    def __init__(self, source: ByteRange) -> None:
        super().__init__(source.size)
        self.source = source

    def read_next(self, count: int) -> bytes:
        data = self.source.read_at(self.position, count)
        self.position += len(data)
        return data
