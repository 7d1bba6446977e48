"""DICOM files with listed data elements only; pixels are copied as they are."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from mlebench.preparing.pictures.dicom_tags import LISTED, META, PIXELS, SEQUENCES

PREAMBLE, START = bytes(128) + b"DICM", 132
SYNTAX = 0x0002_0010
BIG_ENDIAN, DEFLATED = "1.2.840.10008.1.2.2", "1.2.840.10008.1.2.1.99"
LONG_KINDS = frozenset(b"OB OD OF OL OV OW SQ SV UC UN UR UT UV".split())
SHORT_KINDS = frozenset(b"AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US".split())
"""Value representations with a length of four bytes, and of two."""

ITEM, ITEM_END, SEQUENCE_END = 0xFFFE_E000, 0xFFFE_E00D, 0xFFFE_E0DD
UNDEFINED = 0xFFFF_FFFF
DEEPEST = 16


def clean_dicom(data: bytes) -> bytes:
    """Keep listed elements, also inside of sequences, and cut what follows the pixels.

    Raises:
        ValueError, struct.error: the file is damaged before its pixels, or its transfer syntax is
            missing or compresses the whole data set.
    """
    file = _DataSets(data)
    meta, syntax, at = b"", "", START
    while data[at : at + 2] == b"\2\0":
        element = file.element(at)
        at = element.start + element.size
        if element.tag == SYNTAX:
            syntax = data[element.start : at].decode("ascii").rstrip("\0 ")
        if element.tag in META:
            meta += data[element.at : at]
    if at > len(data) or not syntax or syntax == DEFLATED:
        raise ValueError("there is no transfer syntax, or it compresses the whole data set")
    order = ">" if syntax == BIG_ENDIAN else "<"
    # As other readers do, since some files do not follow their transfer syntax.
    is_explicit = data[at + 4 : at + 6] in LONG_KINDS | SHORT_KINDS
    inside = replace(file, order=order, is_explicit=is_explicit)
    inside.keep(at, len(data))
    length = struct.pack("<HH2sHI", 2, 0, b"UL", 4, len(meta))
    return b"".join((PREAMBLE, length, meta, *inside.kept))


class _Element(NamedTuple):
    """The header of a data element, an item or a delimiter."""

    at: int
    tag: int
    kind: bytes
    size: int
    start: int
    """Where the value begins."""


@dataclass(frozen=True)
class _DataSets:
    """Reads data sets in one encoding, and collects what is published."""

    data: bytes
    order: str = "<"
    is_explicit: bool = True
    depth: int = 0
    kept: list[bytes | memoryview] = field(default_factory=list)

    def element(self, at: int) -> _Element:
        group, number = struct.unpack_from(f"{self.order}HH", self.data, at)
        tag = group << 16 | number
        if group == 0xFFFE or not self.is_explicit:
            (size,) = struct.unpack_from(f"{self.order}I", self.data, at + 4)
            return _Element(at, tag, b"", size, at + 8)
        kind = self.data[at + 4 : at + 6]
        if kind in SHORT_KINDS:
            (size,) = struct.unpack_from(f"{self.order}H", self.data, at + 6)
            return _Element(at, tag, kind, size, at + 8)
        if kind not in LONG_KINDS:
            raise ValueError("an element has no value representation")
        (size,) = struct.unpack_from(f"{self.order}I", self.data, at + 8)
        return _Element(at, tag, kind, size, at + 12)

    def keep(self, at: int, end: int, *, is_open: bool = False) -> int:
        """Collect the listed elements of a data set; returns where it ends.

        Args:
            is_open: whether it is an item of undefined length, which ends with a delimiter.
        """
        view = memoryview(self.data)
        while at < end:
            element = self.element(at)
            if element.tag == ITEM_END and is_open:
                return element.start
            if element.tag == PIXELS:
                stop = self._end_of_pixels(element, end)
            elif element.size == UNDEFINED or element.tag in SEQUENCES:
                at = self._keep_sequence(element, end)
                continue
            else:
                stop = self._end_of(element, end)
            if element.tag in LISTED:
                self.kept.append(view[at:stop])
            at = stop
            if element.tag == PIXELS and not self.depth:
                break
        if is_open:
            raise ValueError("an item has no end")
        return at

    def _keep_sequence(self, element: _Element, end: int) -> int:
        """Collect a sequence if it is listed, with undefined lengths; returns where it ends."""
        if self.depth == DEEPEST or element.kind not in (b"", b"SQ", b"UN"):
            raise ValueError("sequences are nested too deeply, or something else has no length")
        is_open = element.size == UNDEFINED
        at, end = element.start, end if is_open else self._end_of(element, end)
        # What has no known representation is encoded in this way, whatever the file is.
        encoded = replace(self, order="<", is_explicit=False) if element.kind == b"UN" else self
        items = replace(encoded, depth=self.depth + 1, kept=[])
        while at < end:
            item = items.element(at)
            if item.tag == SEQUENCE_END and is_open:
                at, is_open = item.start, False
                break
            if item.tag != ITEM:
                raise ValueError("a sequence contains something else than items")
            items.kept.append(items.mark(ITEM, UNDEFINED))
            if item.size == UNDEFINED:
                at = items.keep(item.start, end, is_open=True)
            else:
                at = items.keep(item.start, self._end_of(item, end))
            items.kept.append(items.mark(ITEM_END, 0))
        if is_open:
            raise ValueError("a sequence has no end")
        if element.tag in SEQUENCES:
            size = struct.pack(f"{self.order}I", UNDEFINED)
            head = self.data[element.at : element.start - 4] + size
            self.kept.extend((head, *items.kept, items.mark(SEQUENCE_END, 0)))
        return at

    def mark(self, tag: int, size: int) -> bytes:
        """The header of an item, or a delimiter."""
        return struct.pack(f"{self.order}HHI", tag >> 16, tag & 0xFFFF, size)

    def _end_of(self, element: _Element, end: int) -> int:
        if element.start + element.size > end:
            raise ValueError("an element ends after what contains it")
        return element.start + element.size

    def _end_of_pixels(self, element: _Element, end: int) -> int:
        """Where the pixels end; at the end of a file that has fewer than it says."""
        if element.size != UNDEFINED:
            return min(end, element.start + element.size)
        at = element.start
        while at + 8 <= end:
            group, number, size = struct.unpack_from(f"{self.order}HHI", self.data, at)
            at += 8
            if (group, number) == (SEQUENCE_END >> 16, SEQUENCE_END & 0xFFFF):
                return at
            at += size
        return end
