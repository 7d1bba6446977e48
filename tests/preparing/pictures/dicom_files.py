"""DICOM files written by hand, in the three encodings of a data set."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

LONG = ("OB", "OW", "SQ", "UN", "UT")
UNDEFINED = 0xFFFFFFFF


@dataclass(frozen=True)
class Encoding:
    """How a data set is written."""

    syntax: str
    order: str = "<"
    is_explicit: bool = True

    def element(self, tag: int, kind: str, value: bytes, size: int | None = None) -> bytes:
        """A data element; `size` is what its header says, if not the length of the value."""
        value += b"\0" * (len(value) % 2)
        size = len(value) if size is None else size
        head = struct.pack(f"{self.order}HH", tag >> 16, tag & 0xFFFF)
        if not self.is_explicit:
            return head + struct.pack(f"{self.order}I", size) + value
        head += kind.encode()
        if kind in LONG:
            return head + struct.pack(f"{self.order}HI", 0, size) + value
        return head + struct.pack(f"{self.order}H", size) + value

    def number(self, tag: int, value: int) -> bytes:
        return self.element(tag, "US", struct.pack(f"{self.order}H", value))

    def mark(self, number: int, size: int) -> bytes:
        return struct.pack(f"{self.order}HHI", 0xFFFE, number, size)

    def sequence(self, tag: int, items: Iterable[bytes], *, kind: str = "SQ") -> bytes:
        """A sequence and items of undefined length."""
        content = b"".join(
            self.mark(0xE000, UNDEFINED) + item + self.mark(0xE00D, 0) for item in items
        )
        return self.element(tag, kind, content + self.mark(0xE0DD, 0), UNDEFINED)

    def sized_sequence(self, tag: int, items: Iterable[bytes]) -> bytes:
        content = b"".join(self.mark(0xE000, len(item)) + item for item in items)
        return self.element(tag, "SQ", content)

    def file(self, *elements: bytes, preamble: bytes = bytes(128)) -> bytes:
        uid = self.syntax.encode()
        meta = EXPLICIT.element(0x00020010, "UI", uid) + EXPLICIT.element(0x00020016, "AE", SECRET)
        length = EXPLICIT.element(0x00020000, "UL", struct.pack("<I", len(meta)))
        return preamble + b"DICM" + length + meta + b"".join(elements)


SECRET = b"melanoma"
IMPLICIT = Encoding("1.2.840.10008.1.2", is_explicit=False)
EXPLICIT = Encoding("1.2.840.10008.1.2.1")
BIG_ENDIAN = Encoding("1.2.840.10008.1.2.2", order=">")
ENCAPSULATED = Encoding("1.2.840.10008.1.2.4.50")
DEFLATED = Encoding("1.2.840.10008.1.2.1.99")
ENCODINGS = (IMPLICIT, EXPLICIT, BIG_ENDIAN)

PIXELS = bytes(range(64))


def kept_elements(e: Encoding) -> list[bytes]:
    """What a picture of a test item may have."""
    return [
        e.element(0x00080018, "UI", b"1.2.3.4"),
        e.element(0x00080060, "CS", b"MG"),
        e.element(0x00100040, "CS", b"F"),
        e.element(0x00101010, "AS", b"061Y"),
        e.element(0x00185101, "CS", b"CC"),
        e.element(0x0020000D, "UI", b"1.2.3"),
        e.element(0x00200032, "DS", b"0\\0\\12.5"),
        e.element(0x00200062, "CS", b"L"),
        e.element(0x00280004, "CS", b"MONOCHROME1"),
        e.number(0x00280010, 8),
        e.number(0x00280011, 8),
        e.number(0x00280100, 8),
        e.element(0x00281050, "DS", b"40"),
        # A listed sequence with listed elements only.
        e.sequence(0x00283010, [e.element(0x00283006, "OW", b"\1\2\3\4")]),
    ]


def dropped_elements(e: Encoding) -> list[bytes]:
    """What it may not have: dates, texts, names, private elements, nested and of any length."""
    text = e.element(0x00081030, "LO", SECRET)
    deep = e.sequence(0x00091002, [text, e.sequence(0x00091003, [text, b"", text])])
    return [
        e.element(0x00080020, "DA", b"20200101"),
        e.element(0x00080080, "LO", SECRET),
        text,
        e.element(0x00090010, "LO", SECRET),
        deep,
        e.sized_sequence(0x00091004, [text, deep]),
        e.element(0x00100010, "PN", SECRET),
        e.element(0x00104000, "LT", SECRET),
        e.element(0x00204000, "LT", SECRET),
        e.element(0x60003000, "OW", SECRET),
    ]


def picture(
    e: Encoding, *further: bytes, after: bytes = b"", preamble: bytes = bytes(128)
) -> bytes:
    """A file with all of them and further ones, in the order of their tags, and native pixels."""
    pixels = e.element(0x7FE00010, "OW", PIXELS)
    return e.file(*in_order(e, *further), pixels, after, preamble=preamble)


def in_order(e: Encoding, *further: bytes) -> list[bytes]:
    def tag(element: bytes) -> tuple[int, int]:
        group, number = struct.unpack_from(f"{e.order}HH", element)
        return group, number

    return sorted([*kept_elements(e), *dropped_elements(e), *further], key=tag)
