"""Reads the members of a zip in place, within the bounds of its central directory."""

from __future__ import annotations

import io
import struct
import zlib
from typing import BinaryIO

from mlebench.archives.byte_range import ByteRange, SeekableStream
from mlebench.archives.limits import UnpackingBudget
from mlebench.archives.names import judge_names
from mlebench.archives.packed import PackedIndex
from mlebench.archives.zip_directory import DEFLATED, LOCAL_BYTES, STORED, Directory
from mlebench.errors import DataError

LOCAL = struct.Struct("<4s5H3L2H")
PIECE = 1 << 20
IN_MEMORY = 16 << 20
"""Members up to this size are read at once."""


class ZipIndex(PackedIndex):
    """A zip file whose names, ranges and sizes have been checked."""

    def __init__(self, source: ByteRange, budget: UnpackingBudget) -> None:
        self.directory = Directory(source, budget.max_members)
        folders = judge_names(self.directory.files, self.directory.folders, source.name)
        super().__init__(source, self.directory.files, folders)
        budget.admit(source, len(self.directory.files), sum(self.directory.sizes))

    def __contains__(self, name: str) -> bool:
        return name in self.directory.files

    def size(self, name: str) -> int:
        return self.directory.sizes[self.directory.files[name]]

    def read(self, name: str) -> bytes:
        row = self.directory.files[name]
        size, packed = self.directory.sizes[row], self.directory.packed[row]
        # Header and data at once; the length of the header is a guess until it is read.
        guess = LOCAL_BYTES + len(name.encode()) + 64
        head = self.source.read_at(self.directory.offsets[row], guess + packed)
        start = self._data_start(row, name, head)
        data = head[start : start + packed]
        if len(data) < packed:
            data = self.source.read_at(self.directory.offsets[row] + start, packed)
        if self.directory.methods[row] == DEFLATED:
            data = self._inflate(name, data, size)
        self.check_end(name, len(data), zlib.crc32(data))
        return data

    def open(self, name: str) -> BinaryIO:
        row = self.directory.files[name]
        if self.directory.sizes[row] <= IN_MEMORY:
            return io.BytesIO(self.read(name))
        return _Member(self, name).buffered()

    def in_place(self, name: str) -> ByteRange | None:
        row = self.directory.files[name]
        return self.packed(row, name) if self.directory.methods[row] == STORED else None

    def packed(self, row: int, name: str) -> ByteRange:
        offset = self.directory.offsets[row]
        start = self._data_start(row, name, self.source.read_at(offset, LOCAL_BYTES + (1 << 16)))
        return self.source.part(offset + start, self.directory.packed[row], name)

    def _data_start(self, row: int, name: str, head: bytes) -> int:
        """Where the data begins after the local header, which must match the directory."""
        if len(head) >= LOCAL.size:
            fields = LOCAL.unpack_from(head)
            start: int = LOCAL.size + fields[9] + fields[10]
            end = self.directory.offsets[row] + start + self.directory.packed[row]
            is_same = (
                fields[0] == b"PK\x03\x04"
                and fields[3] == self.directory.methods[row]
                and head[LOCAL.size : LOCAL.size + fields[9]] == name.encode()
            )
            if is_same and end <= self.directory.limits[row]:
                return start
        raise self.source.damaged(f"the member {name!a} is not where its directory says")

    def _inflate(self, name: str, data: bytes, size: int) -> bytes:
        inflater = zlib.decompressobj(-15)
        try:
            # One byte more than declared detects a member that is larger than declared.
            result = inflater.decompress(data, size + 1)
        except zlib.error as error:
            raise self.source.damaged(f"the member {name!a}: {error}") from None
        if len(result) != size or not (inflater.eof or _ends(inflater)):
            raise self._wrong_size(name)
        return result

    def _wrong_size(self, name: str) -> DataError:
        return self.source.damaged(f"the member {name!a} does not have its declared size")

    def check_end(self, name: str, size: int, crc: int) -> None:
        """Check a member that was read to its end."""
        row = self.directory.files[name]
        if size != self.directory.sizes[row]:
            raise self._wrong_size(name)
        if crc != self.directory.crcs[row]:
            raise self.source.damaged(f"the member {name!a} differs from its checksum")


def _ends(inflater: zlib._Decompress) -> bool:
    """All bytes were returned, but the end mark may still be unread."""
    return not inflater.decompress(inflater.unconsumed_tail, 1) and inflater.eof


class _Inflated:
    """The content of a deflated range, from its beginning."""

    def __init__(self, packed: ByteRange) -> None:
        self.packed = packed
        self.stream = packed.stream()
        self.inflater = zlib.decompressobj(-15)

    def read(self, count: int) -> bytes:
        while not self.inflater.eof:
            data = self.inflater.unconsumed_tail or self.stream.read(PIECE)
            try:
                result = self.inflater.decompress(data, count)
            except zlib.error as error:
                raise self.packed.damaged(str(error)) from None
            if result or not data:
                return result
        return b""


class _Member(SeekableStream):
    """A member as a stream; size and checksum are checked at its end."""

    def __init__(self, index: ZipIndex, name: str) -> None:
        super().__init__(index.size(name))
        self.index = index
        self.member = name
        self._start()

    def _start(self) -> None:
        self.position, self.crc = 0, 0
        row = self.index.directory.files[self.member]
        packed = self.index.packed(row, self.member)
        is_stored = self.index.directory.methods[row] == STORED
        self.stream = packed.stream() if is_stored else _Inflated(packed)

    def move(self, position: int) -> None:
        goal = min(position, self.size)
        if goal < self.position:
            self._start()
        while self.position < goal and self.read_next(min(PIECE, goal - self.position)):
            pass

    def read_next(self, count: int) -> bytes:
        # One byte more than declared detects a member that is larger than declared.
        data = self.stream.read(min(count, self.size - self.position + 1))
        self.position += len(data)
        self.crc = zlib.crc32(data, self.crc)
        if self.position >= self.size or (count and not data):
            self.index.check_end(self.member, self.position, self.crc)
        return data
