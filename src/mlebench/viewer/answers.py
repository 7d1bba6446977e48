"""Replies with their security headers: JSON, files of the package, files of agents."""

from __future__ import annotations

import asyncio
import gzip
import json
import math
import os
from collections.abc import AsyncGenerator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mlebench.http import HttpReply, HttpRequest, HttpStream
from mlebench.viewer.folders import file_names, image_type
from mlebench.viewer.index import Place
from mlebench.viewer.places import opened_file, pread

STATIC = Path(__file__).parent / "static"
PAGE = Path(__file__).parent.parent / "results" / "page"
SHARED = (PAGE / "tokens.css", PAGE / "plots.css")
"""The style sheets of colours and plots that the report also uses."""

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
FILE_POLICY = "sandbox; default-src 'none'"
COMMON = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Vary": "Accept-Encoding",
}
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
}
SMALL = 1400
GZIP_LEVEL = 6
PIECE = 256 * 1024


def encode(data: Any) -> bytes:
    """Standard JSON: no NaN, no lone surrogates."""
    dump = partial(json.dumps, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        text = dump(data)
    except ValueError:
        text = dump(_finite(data))
    return text.encode("utf-8", "replace")


def _finite(value: Any) -> Any:
    """The value with numbers that are not finite as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    return [_finite(part) for part in value] if isinstance(value, list | tuple) else value


def accepts_gzip(request: HttpRequest) -> bool:
    words = request.headers.get("accept-encoding", "").replace(" ", "").split(",")
    return "gzip" in words


def json_reply(request: HttpRequest, body: bytes, packed: bytes | None = None) -> HttpReply:
    """A reply with JSON, compressed if it is large."""
    headers = COMMON | {"Content-Security-Policy": DATA_POLICY}
    if len(body) > SMALL and accepts_gzip(request):
        headers |= {"Content-Encoding": "gzip"}
        body = packed or gzip.compress(body, GZIP_LEVEL, mtime=0)
    return HttpReply(200, headers=headers, body=body)


class StaticFiles:
    """The files of the package, read once; no other file can be requested by name."""

    def __init__(self) -> None:
        files = [f for f in STATIC.iterdir() if f.suffix in TYPES and f.is_file()]
        self._bodies = {file.name: file.read_bytes() for file in (*files, *SHARED)}
        self._packed = {
            name: gzip.compress(body, GZIP_LEVEL, mtime=0) for name, body in self._bodies.items()
        }

    def reply(self, request: HttpRequest, name: str) -> HttpReply | None:
        """A file; None if there is none of that name."""
        if name not in self._bodies:
            return None
        headers = COMMON | {"Content-Security-Policy": PAGE_POLICY, "Cache-Control": "no-cache"}
        body = self._bodies[name]
        if len(body) > SMALL and accepts_gzip(request):
            headers, body = headers | {"Content-Encoding": "gzip"}, self._packed[name]
        kind = TYPES[Path(name).suffix]
        return HttpReply(200, headers=headers, body=body, content_type=kind)


def raw_file(place: Place, path: str) -> HttpStream:
    """A file of an agent, unchanged: images are displayed, other files only downloaded."""
    stack = ExitStack()
    descriptor = stack.enter_context(opened_file(place.root, file_names(place, path)))
    start = pread(descriptor, PIECE, 0)
    image = image_type(start)
    name = quote(path.rpartition("/")[2], safe="")
    way = "inline" if image else "attachment"
    kind = image or ("application/octet-stream" if b"\0" in start else "text/plain; charset=utf-8")
    headers = COMMON | {
        "Content-Security-Policy": FILE_POLICY,
        "Content-Disposition": f"{way}; filename*=UTF-8''{name}",
        "Accept-Ranges": "none",
    }
    del headers["Cache-Control"]  # HttpStream sets it
    return HttpStream(_pieces(descriptor, stack), kind, headers)


async def _pieces(descriptor: int, stack: ExitStack) -> AsyncGenerator[bytes, None]:
    """The file up to its size at the start, in pieces."""
    with stack:
        size, position = os.fstat(descriptor).st_size, 0
        while position < size:
            count = min(PIECE, size - position)
            data = await asyncio.to_thread(pread, descriptor, count, position)
            if not data:
                return
            position += len(data)
            yield data
