"""A range of bytes of a file, read in place: an archive, or one stored inside another."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from mlebench.errors import DataError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class ByteRange:
    """Bytes of an open file from `start` on; reading has no position, so threads may share it."""

    def __init__(self, file: BinaryIO, start: int, size: int, name: str) -> None:
        self.file = file
        self.start = start
        self.size = size
        self.name = name
        """For messages."""

    @classmethod
    def of_file(cls, path: Path) -> ByteRange:
        """The whole of a file; the caller closes it."""
        file = path.open("rb")
        return cls(file, 0, os.fstat(file.fileno()).st_size, path.name)

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
            data = os.pread(self.file.fileno(), count, self.start + offset)
            while len(data) < count:
                more = os.pread(
                    self.file.fileno(), count - len(data), self.start + offset + len(data)
                )
                if not more:
                    raise self.damaged("it became shorter while it was read")
                data += more
        except OSError as error:
            raise DataError(f"{self.name} cannot be read: {error.strerror}") from None
        return data

    def stream(self) -> BinaryIO:
        """The bytes as a file."""
        return io.BufferedReader(cast(io.RawIOBase, _RangeStream(self)), 1 << 20)

    def close(self) -> None:
        self.file.close()

    def damaged(self, what: str) -> DataError:
        return DataError(f"{self.name} is damaged: {what}")


class _RangeStream(io.RawIOBase):
    def __init__(self, source: ByteRange) -> None:
        super().__init__()
        self.source = source
        self.position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.source.size}[whence]
        self.position = max(0, base + offset)
        return self.position

    def readinto(self, buffer: WriteableBuffer) -> int:
        target = memoryview(buffer)
        data = self.source.read_at(self.position, len(target))
        target[: len(data)] = data
        self.position += len(data)
        return len(data)
