"""JPEG files without EXIF data (except the orientation), XMP and other segments."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from mlebench.preparing.pictures.exif import only_orientation

SCAN, END, COMMENT, EXIF = 0xDA, 0xD9, 0xFE, 0xE1
ALONE = frozenset([0x01, *range(0xD0, 0xD8), END])
"""Markers of segments without a length."""

APPLICATION = range(0xE0, 0xF0)
LISTED = {0xE0: b"JFIF\0", 0xE2: b"ICC_PROFILE\0", 0xEE: b"Adobe"}
"""Of these markers, how the segments begin that a decoder uses."""

FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
MARKER = re.compile(rb"\xff[^\x00\xff]")
AFTER_SCAN = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]")
"""The next marker after compressed data, in which 0xFF is followed by 0 or a restart marker."""


def clean_jpeg(data: bytes) -> bytes:
    """Keep segments with coded data and listed ones, and cut what follows the picture.

    A comment in front of the picture is no tag; `mlebench audit` reads it.

    Raises:
        ValueError: the file has no picture, or a segment before it has an impossible length.
    """
    view = memoryview(data)
    kept: list[bytes | memoryview] = [view[:2]]
    markers: set[int] = set()
    has_exif = False
    for marker, at, end in _segments(data):
        markers.add(marker)
        if marker == EXIF and data[at + 4 : at + 10] == b"Exif\0\0":
            kept.append(b"" if has_exif else _exif_segment(data[at + 10 : end]))
            has_exif = True
        elif marker == COMMENT and SCAN in markers:
            continue
        elif _is_listed(marker, data[at + 4 : at + 16]):
            kept.append(view[at:end])
    if SCAN not in markers or not markers & FRAMES:
        raise ValueError("there is no picture in the file")
    return b"".join(kept)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Marker, start and end of each segment, up to the end of the picture.

    The compressed data belongs to the scan before it. Decoders skip what is between segments, and
    show what there is of a picture that is damaged after its first scan.
    """
    at, has_scan = 2, False
    while found := MARKER.search(data, at):
        at, marker = found.start(), data[found.start() + 1]
        end = at + 2
        if marker not in ALONE:
            length = int.from_bytes(data[end : end + 2], "big")
            end += length
            if length < 2 or end > len(data):
                if not has_scan:
                    raise ValueError("a segment has an impossible length")
                marker, end = SCAN, len(data)
        if marker == SCAN:
            has_scan = True
            following = AFTER_SCAN.search(data, end)
            end = following.start() if following else len(data)
        yield marker, at, end
        if marker == END:
            return
        at = end


def _is_listed(marker: int, start: bytes) -> bool:
    return marker not in APPLICATION or (marker in LISTED and start.startswith(LISTED[marker]))


def _exif_segment(exif: bytes) -> bytes:
    found = only_orientation(exif)
    return struct.pack(">BBH", 0xFF, EXIF, len(found) + 8) + b"Exif\0\0" + found if found else b""
