"""The orientation of a picture, which many decoders apply, is all that remains of its EXIF data."""

from __future__ import annotations

import struct

ORIENTATION = 0x0112
NUMBERS = {3: "H", 4: "I"}
"""Types of an entry that is one whole number."""


def only_orientation(exif: bytes) -> bytes:
    """EXIF data (a TIFF header and one directory) with the orientation; empty if there is none."""
    try:
        orientation = _orientation(exif)
    except struct.error:
        return b""
    if orientation not in range(1, 9):
        return b""
    entry = struct.pack(">HHIHH", ORIENTATION, 3, 1, orientation, 0)
    return b"MM\0*" + struct.pack(">IH", 8, 1) + entry + bytes(4)


def _orientation(exif: bytes) -> int:
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None:
        return 0
    (at,) = struct.unpack_from(f"{order}I", exif, 4)
    (count,) = struct.unpack_from(f"{order}H", exif, at)
    for place in range(at + 2, at + 2 + 12 * count, 12):
        tag, kind = struct.unpack_from(f"{order}HH", exif, place)
        if tag == ORIENTATION and kind in NUMBERS:
            number: int = struct.unpack_from(order + NUMBERS[kind], exif, place + 8)[0]
            return number
    return 0
