"""Find the uploaded file in a multipart form; it is not copied, and its name is not used."""

from __future__ import annotations

import re
from itertools import pairwise

MAX_PARTS = 16
MAX_PART_HEAD = 8 * 1024
MAX_BOUNDARY = 70
MAX_CR = 64
BOUNDARY = re.compile(rb'multipart/form-data\s*;.*?\bboundary=(?:"([^"]+)"|([^\s;]+))', re.I | re.S)
FILE_FIELD = re.compile(
    rb'content-disposition\s*:\s*form-data\s*;[^\r\n]*?\bname="?file"?\s*(?:;|\r|$)', re.I
)


class FormError(Exception):
    """The form has no single field `file`; the text is for the client."""


def find_file(content_type: bytes, body: bytes | bytearray) -> slice:
    """Where in the body the content of the part called `file` is."""
    boundary = _find_boundary(content_type)
    starts = _find_parts(body, boundary)
    if len(starts) < 2 or not body.startswith(b"--", starts[-1] + len(boundary)):
        raise FormError("the form does not end with its boundary")
    files = []
    for start, stop in pairwise(starts):
        head_start = start + len(boundary) + 2
        head_stop = body.find(b"\r\n\r\n", head_start, head_start + MAX_PART_HEAD)
        if head_stop < 0 or head_stop > stop:
            raise FormError("a part of the form has no readable head")
        if FILE_FIELD.search(body[head_start:head_stop]):
            files.append(slice(head_stop + 4, max(head_stop + 4, stop - 2)))
    if len(files) != 1:
        raise FormError(f"expected exactly one field 'file', found {len(files)}")
    return files[0]


def _find_boundary(content_type: bytes) -> bytes:
    """The line that separates the parts."""
    found = BOUNDARY.match(content_type.strip())
    if not found:
        raise FormError("expected a multipart/form-data request with a field 'file'")
    name = found[1] or found[2]
    if len(name) > MAX_BOUNDARY:
        raise FormError(f"the boundary has more than {MAX_BOUNDARY} characters")
    return b"--" + name


def _find_parts(body: bytes | bytearray, boundary: bytes) -> list[int]:
    """Where the boundary occurs at the start of a line."""
    found: list[int] = []
    position = 0 if body.startswith(boundary) else _next(body, boundary, 0, MAX_PART_HEAD)
    while position >= 0:
        found.append(position)
        if len(found) > MAX_PARTS:
            raise FormError(f"the form has more than {MAX_PARTS} parts")
        position = _next(body, boundary, position + len(boundary), len(body))
    return found


def _next(body: bytes | bytearray, boundary: bytes, start: int, stop: int) -> int:
    """The next boundary after a line end, or -1."""
    line = b"\r\n" + boundary
    # Finding one byte is ten times faster than finding a line, and most tables have no CR at all.
    for _ in range(MAX_CR):
        start = body.find(b"\r", start, stop)
        if start < 0 or body.startswith(line, start):
            return start + 2 if start >= 0 else -1
        start += 1
    found = body.find(line, start, stop)
    return found + 2 if found >= 0 else -1
