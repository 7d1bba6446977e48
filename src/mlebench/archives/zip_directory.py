"""The central directory of a zip file, parsed and checked.

Python's `zipfile` accepts overlapping members, names with NUL, links and inconsistent directories,
differently in each version. This reader rejects everything that is not plain and consistent.
"""

from __future__ import annotations

import stat
import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mlebench.archives.byte_range import ByteRange
from mlebench.archives.kinds import kind_of, split_zip, wrong_kind
from mlebench.errors import DataError

STORED, DEFLATED = 0, 8
METHODS = {1: "shrink", 6: "implode", 9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd", 95: "xz"}

END = struct.Struct("<4s4H2LH")
END64 = struct.Struct("<4sQ2H2L4Q")
LOCATOR = struct.Struct("<4sLQL")
ENTRY = struct.Struct("<4s6H3L5H2L")
LOCAL_BYTES = 30
FULL_16, FULL_32 = 0xFFFF, 0xFFFFFFFF

ENCRYPTED_FLAGS = 0x2041
PATCHED_FLAG = 0x20
MAX_RATIO = 1032
"""The maximum ratio of deflate: a larger declared ratio is false."""


@dataclass(frozen=True)
class Extent:
    """Where the central directory is and how many entries it has."""

    offset: int
    size: int
    count: int


class ZipEntry(NamedTuple):
    """One entry of the central directory."""

    name: str
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    is_folder: bool
    name_bytes: int


class Directory:
    """The checked central directory; numbers are in arrays, because some have millions of rows."""

    def __init__(self, source: ByteRange, max_members: int) -> None:
        extent = find_directory(source)
        if extent.count > max_members:
            raise DataError(
                f"{source.name} has {extent.count:,} members, expected at most {max_members:,}"
            )
        self.files: dict[str, int] = {}
        """Name → its index in the arrays."""

        self.folders: set[str] = set()
        self.methods, self.crcs = array("B"), array("I")
        self.packed, self.sizes, self.offsets = array("Q"), array("Q"), array("Q")
        name_bytes = array("H")
        for name, method, crc, packed, size, offset, is_folder, length in read_entries(
            source, extent
        ):
            if is_folder:
                self.folders.add(name)
                continue
            if name in self.files:
                raise DataError(f"{source.name} has two members named {name!a}")
            self.files[name] = len(self.offsets)
            self.methods.append(method)
            self.crcs.append(crc)
            self.packed.append(packed)
            self.sizes.append(size)
            self.offsets.append(offset)
            name_bytes.append(length)
        self.limits = self._limits(source, extent.offset, name_bytes)
        """Where the next member begins: the data must end before it."""

    def _limits(self, source: ByteRange, end: int, name_bytes: array[int]) -> array[int]:
        """Reject members that overlap each other or the central directory."""
        limits = array("Q", bytes(8 * len(self.offsets)))
        following = end
        for row in sorted(range(len(self.offsets)), key=self.offsets.__getitem__, reverse=True):
            start = self.offsets[row]
            if start + LOCAL_BYTES + name_bytes[row] + self.packed[row] > following:
                name = next(name for name, place in self.files.items() if place == row)
                raise source.damaged(f"the member {name!a} overlaps another or the end")
            limits[row] = following
            following = start
        return limits


def find_directory(source: ByteRange) -> Extent:
    """Find the central directory from the record at the end of the file."""
    if kind_of(source) != "zip":
        raise wrong_kind(source, "zip")
    tail_start = max(0, source.size - END.size - FULL_16)
    tail = source.read_at(tail_start, source.size)
    at = len(tail)
    while (at := tail.rfind(b"PK\x05\x06", 0, at)) >= 0:
        if len(tail) - at >= END.size:
            record = END.unpack_from(tail, at)
            if at + END.size + record[7] == len(tail):
                return _extent(source, tail_start + at, record)
    raise DataError(
        f"{source.name} is truncated or has bytes after its end: it has no central directory",
        hint="download it again; this copy is unusable",
    )


def _extent(source: ByteRange, at: int, record: tuple[int, ...]) -> Extent:
    _, disk, first_disk, here, count, size, offset, _ = record
    end = at
    locator = source.read_at(at - LOCATOR.size, LOCATOR.size) if at >= LOCATOR.size else b""
    if locator.startswith(b"PK\x06\x07"):
        large = _large_record(source, at, locator)
        end = at - LOCATOR.size - END64.size
        declared = (disk, first_disk, here, count, size, offset)
        full = (FULL_16, FULL_16, FULL_16, FULL_16, FULL_32, FULL_32)
        if any(d not in (f, x) for d, f, x in zip(declared, full, large, strict=True)):
            raise source.damaged("its two end records disagree")
        disk, first_disk, here, count, size, offset = large
    if disk or first_disk or here != count:
        raise split_zip(source)
    if offset + size != end:
        raise source.damaged("its central directory is not where its end record says")
    return Extent(offset, size, count)


def _large_record(source: ByteRange, at: int, locator: bytes) -> tuple[int, ...]:
    _, disk, place, disks = LOCATOR.unpack(locator)
    expected = at - LOCATOR.size - END64.size
    data = source.read_at(expected, END64.size) if expected >= 0 else b""
    if disk or disks > 1 or place != expected or not data.startswith(b"PK\x06\x06"):
        raise source.damaged("its two end records disagree")
    return END64.unpack(data)[4:]


def read_entries(source: ByteRange, extent: Extent) -> Iterator[ZipEntry]:
    """Every entry of the central directory, each checked on its own."""
    data = source.read_at(extent.offset, extent.size)
    at = 0
    for _ in range(extent.count):
        if at + ENTRY.size > len(data) or data[at : at + 4] != b"PK\x01\x02":
            raise source.damaged("its central directory is truncated or garbled")
        fields = ENTRY.unpack_from(data, at)
        name_end = at + ENTRY.size + fields[10]
        extra_end = name_end + fields[11]
        raw_name = data[at + ENTRY.size : name_end]
        yield _entry(source, fields, raw_name, data[name_end:extra_end])
        at = extra_end + fields[12]
    if at != len(data):
        raise source.damaged("its central directory has more entries than it declares")


def _entry(source: ByteRange, fields: tuple[int, ...], raw_name: bytes, extra: bytes) -> ZipEntry:
    flags, method, crc, packed, size = fields[3], fields[4], *fields[7:10]
    disk, mode, offset = fields[13], fields[15], fields[16]
    try:
        name = raw_name.decode("utf-8")
    except UnicodeDecodeError:
        shown = ascii(raw_name.decode("utf-8", "surrogateescape"))
        raise DataError(f"{source.name} has a member named {shown}, which is not UTF-8") from None
    if FULL_32 in (packed, size, offset):
        size, packed, offset = _large_numbers(source, name, extra, (size, packed, offset))
    is_folder = raw_name.endswith(b"/")
    if disk not in (0, FULL_16):
        raise split_zip(source)
    if mode >> 28:
        _judge_type(source, name, mode >> 16, is_folder)
    if flags & (ENCRYPTED_FLAGS | PATCHED_FLAG) or method not in (STORED, DEFLATED):
        raise _unreadable(source, name, flags, method)
    limit = packed * MAX_RATIO if method == DEFLATED else packed
    if size > limit or (method == STORED and size != packed) or (is_folder and size):
        raise source.damaged(f"the member {name!a} declares an impossible size")
    stripped = name[:-1] if is_folder else name
    return ZipEntry(stripped, method, crc, packed, size, offset, is_folder, len(raw_name))


def _large_numbers(
    source: ByteRange, name: str, extra: bytes, declared: tuple[int, int, int]
) -> tuple[int, int, int]:
    """Size, packed size and offset; those that do not fit are in an extra field."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == 1:
            wanted = sum(number == FULL_32 for number in declared)
            if length < 8 * wanted or at + 4 + length > len(extra):
                break
            numbers = iter(struct.unpack_from(f"<{wanted}Q", extra, at + 4))
            size, packed, offset = (next(numbers) if n == FULL_32 else n for n in declared)
            return size, packed, offset
        at += 4 + length
    raise source.damaged(f"the member {name!a} does not declare its sizes")


def _judge_type(source: ByteRange, name: str, mode: int, is_folder: bool) -> None:
    kind = stat.S_IFMT(mode)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = "link" if kind == stat.S_IFLNK else "special file"
        raise DataError(f"{source.name} has a {what} named {name!a}; expected files only")
    if kind and is_folder != (kind == stat.S_IFDIR):
        raise source.damaged(f"the member {name!a} is both file and folder")


def _unreadable(source: ByteRange, name: str, flags: int, method: int) -> DataError:
    if flags & ENCRYPTED_FLAGS:
        return DataError(
            f"{source.name} is encrypted (member {name!a}); expected an unencrypted archive"
        )
    how = METHODS.get(method, f"number {method}")
    return DataError(
        f"{source.name} packs {name!a} with the method {how}; expected stored or deflated members",
        hint="unpack it with another tool and use the folder: --archive FOLDER",
    )
