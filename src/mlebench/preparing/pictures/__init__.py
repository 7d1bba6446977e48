"""Revision v1.1: pictures of test items with listed tags only (JPEG, PNG and DICOM).

Files are changed as bytes, and pixels are never decoded: a decoder returns the same ones.
"""

from __future__ import annotations

import struct

from mlebench.preparing.pictures.dicom import clean_dicom
from mlebench.preparing.pictures.jpeg import clean_jpeg
from mlebench.preparing.pictures.png import SIGNATURE, clean_png

__all__ = ["SUFFIXES", "clean"]

SUFFIXES = frozenset("dcm dicom jpeg jpg png".split())
"""Of files that are opened; the first bytes say which format a file has."""


def clean(data: bytes) -> bytes:
    """The picture without tags that are not listed.

    Other files, and those that cannot be parsed, are returned as they are: what no decoder reads
    is no picture, and rehearsal data has such files.
    """
    try:
        if data.startswith(b"\xff\xd8"):
            return clean_jpeg(data)
        if data.startswith(SIGNATURE):
            return clean_png(data)
        if data[128:132] == b"DICM":
            return clean_dicom(data)
    except (struct.error, ValueError):
        pass
    return data
