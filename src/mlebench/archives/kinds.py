"""Detects the kind of an archive by its first bytes, whatever its name says."""

from __future__ import annotations

import re

from mlebench.archives.byte_range import ByteRange
from mlebench.errors import DataError

HEAD_BYTES = 512
HTML = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)?<(?:!doctype\s+html|html)", re.I | re.S
)
MAGIC = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"PK\x07\x08": "split zip",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
    b"Rar!": "rar",
}


def kind_of(source: ByteRange) -> str | None:
    """`zip`, `7z`, `gzip`, `tar` and so on; None if it is not a known type of archive."""
    head = source.read_at(0, HEAD_BYTES)
    for magic, kind in MAGIC.items():
        if head.startswith(magic):
            return kind
    return "tar" if head[257:262] == b"ustar" or _is_old_tar(head) else None


def _is_old_tar(head: bytes) -> bool:
    """The oldest tar format has no magic number, but a checksum of its header."""
    if len(head) < HEAD_BYTES or not head.rstrip(b"\0"):
        return False
    try:
        declared = int(head[148:156].strip(b" \0"), 8)
    except ValueError:
        return False
    return declared == sum(head[:148]) + 8 * 32 + sum(head[156:])


def split_zip(source: ByteRange) -> DataError:
    return DataError(f"{source.name} is one part of a split zip archive; join the parts first")


def wrong_kind(source: ByteRange, expected: str) -> DataError:
    """An error that says what a file is instead of the expected archive, and what to do."""
    head = source.read_at(0, HEAD_BYTES)
    name, again = source.name, "download it again; this copy is unusable"
    if not head:
        return DataError(f"{name} is empty (0 bytes), expected a {expected} archive", hint=again)
    if HTML.match(head):
        return DataError(
            f"{name} is an HTML page, not a {expected} archive",
            hint="a login page or a page with rules was saved instead of the data",
        )
    if head.startswith(b"version https://git-lfs"):
        return DataError(
            f"{name} is a Git-LFS pointer, not the {expected} archive itself",
            hint="fetch the file it points to: git lfs pull",
        )
    if head.startswith(b"PK\x07\x08"):
        return split_zip(source)
    kind = kind_of(source)
    if kind and kind != expected:
        return DataError(f"{name} is a {kind} archive, expected {expected}")
    return DataError(f"{name} is not a {expected} archive", hint=again)
