"""PNG files without texts, times and EXIF data (except the orientation)."""

from __future__ import annotations

import struct
import zlib

from mlebench.preparing.pictures.exif import only_orientation

SIGNATURE = b"\x89PNG\r\n\x1a\n"
LISTED = frozenset(b"tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI sBIT pHYs bKGD acTL fcTL fdAT".split())
"""Chunks that change pixels and colours; critical ones, with an upper-case letter, are kept too."""


def clean_png(data: bytes) -> bytes:
    """Keep critical and listed chunks, and cut what follows the picture.

    Raises:
        ValueError: the file has no picture.
    """
    view, at = memoryview(data), len(SIGNATURE)
    kept: list[bytes | memoryview] = [SIGNATURE]
    kinds = set()
    while at + 8 <= len(data) and b"IEND" not in kinds:
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        kinds.add(kind)
        if kind == b"eXIf":
            kept.append(_exif_chunk(data[at + 8 : end - 4]))
        elif kind in LISTED or kind[:1].isupper():
            kept.append(view[at:end])  # The last chunk of a damaged file may be too short.
        at = end
    if not kinds >= {b"IHDR", b"IDAT"}:
        raise ValueError("there is no picture in the file")
    return b"".join(kept)


def _exif_chunk(exif: bytes) -> bytes:
    found = only_orientation(exif)
    checked = b"eXIf" + found
    head, sum_ = struct.pack(">I", len(found)), struct.pack(">I", zlib.crc32(checked))
    return head + checked + sum_ if found else b""
