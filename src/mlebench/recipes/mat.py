"""MATLAB 5 files with listed fields only.

Such a file is a header of 128 bytes and a sequence of elements: type (4 bytes), length (4), data,
zeros up to a multiple of eight. A matrix is an element of elements; those of a structure are its
fields. Written without compression, the result does not depend on a library's version.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from mlebench.errors import DataError

HEADER_BYTES = 128
TEXT = b"MATLAB 5.0 MAT-file"
LITTLE_ENDIAN = b"\x00\x01IM"
TEXT_BYTES, MATRIX, COMPRESSED = 1, 14, 15
CELL, STRUCTURE = 1, 2
LARGEST = 1 << 30
"""Bytes of a compressed element."""


@dataclass(frozen=True)
class Element:
    """A typed piece of a file."""

    kind: int
    data: bytes

    def __bytes__(self) -> bytes:
        padding = -len(self.data) % 8
        return struct.pack("<II", self.kind, len(self.data)) + self.data + bytes(padding)


def is_mat(data: bytes) -> bool:
    """Whether the bytes begin as a file that can be rewritten does."""
    is_little = data[HEADER_BYTES - 4 : HEADER_BYTES] == LITTLE_ENDIAN
    return data.startswith(TEXT[:10]) and is_little


def keep_fields(data: bytes, names: Collection[str], *, never: Collection[str] = ()) -> bytes:
    """The file with its structures only, and of their fields those with these names.

    Args:
        never: fields that are left out of nested structures, too.
    """
    out = [TEXT.ljust(HEADER_BYTES - 4) + LITTLE_ENDIAN]
    for element in _elements(data[HEADER_BYTES:]):
        parts = list(_elements(element.data)) if element.kind == MATRIX else []
        if _class_of(parts) == STRUCTURE:
            out.append(bytes(_rewritten(parts, frozenset(names), frozenset(never))))
    return b"".join(out)


def _rewritten(
    parts: list[Element], wanted: frozenset[str] | None, never: frozenset[str]
) -> Element:
    """A matrix with some fields; all but the forbidden ones if none are listed."""
    kind = _class_of(parts)
    if kind == CELL:
        head, children = parts[:3], parts[3:]
    elif kind == STRUCTURE:
        head, children = _with_fields(parts, wanted, never)
    else:
        head, children = parts, []
    inner = [
        _rewritten(list(_elements(child.data)), None, never) if child.kind == MATRIX else child
        for child in children
    ]
    return Element(MATRIX, b"".join(map(bytes, [*head, *inner])))


def _with_fields(
    parts: list[Element], wanted: frozenset[str] | None, never: frozenset[str]
) -> tuple[list[Element], list[Element]]:
    """What describes a structure, and the values of its fields, without those left out."""
    if len(parts) < 5 or len(parts[3].data) != 4:
        raise DataError("a structure in a MATLAB file has no names of fields")
    (width,) = struct.unpack("<i", parts[3].data)
    if width <= 0:
        raise DataError(f"a structure in a MATLAB file has names of {width} bytes")
    cells = [parts[4].data[k : k + width] for k in range(0, len(parts[4].data), width)]
    names = [cell.split(b"\0")[0].decode("latin-1") for cell in cells]
    kept = [
        place
        for place, name in enumerate(names)
        if name not in never and (wanted is None or name in wanted)
    ]
    labels = Element(TEXT_BYTES, b"".join(cells[place] for place in kept))
    values = [value for k, value in enumerate(parts[5:]) if k % len(names) in kept]
    return [*parts[:4], labels], values


def _class_of(parts: list[Element]) -> int | None:
    return parts[0].data[0] if parts and parts[0].data else None


def _elements(data: bytes) -> Iterator[Element]:
    """The consecutive elements; compressed ones are unpacked."""
    position = 0
    while position + 8 <= len(data):
        kind, length = struct.unpack_from("<II", data, position)
        if kind >> 16:  # up to four bytes are stored inside the tag
            length, kind = kind >> 16, kind & 0xFFFF
            yield Element(kind, data[position + 4 : position + 4 + length])
            position += 8
            continue
        body = data[position + 8 : position + 8 + length]
        if len(body) < length:
            raise DataError("a MATLAB file ends inside an element")
        position += 8 + length
        if kind == COMPRESSED:
            yield from _elements(_inflated(body))
        else:
            yield Element(kind, body)
            position += -length % 8


def _inflated(body: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(body, LARGEST)
    except zlib.error as error:
        raise DataError(f"a MATLAB file cannot be unpacked: {error}") from None
    if unpacking.unconsumed_tail:
        raise DataError(f"a MATLAB file unpacks to more than {LARGEST:,} bytes")
    return data
