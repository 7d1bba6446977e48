"""Compressed texts inside logs and messages, found by the first bytes of their format.

A log has too much text to decode every word of it. The beginnings of compressed data, as bytes or
in base64, hexadecimal or Python's notation, are rare, and everything that is unpacked has limits.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice

from mlebench.integrity.disguises import LEVELS, MAX_DECODED, decoded, decompress, is_text, placed
from mlebench.integrity.evidence import Passage
from mlebench.integrity.search import LiteralTable, exact_literal

MAX_BLOB = 64 << 10
"""Bytes of a log that one packed text may take."""

HEAD = 400
"""Bytes that show whether it is compressed data at all."""

MAX_TRIES = 20_000
MAX_PLAIN = 8 << 20
"""Bytes that are unpacked for one run."""

FORMATS = (
    *(b"\x78" + level for level in (b"\x01", b"\x5e", b"\x9c", b"\xda")),
    *(b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ\x00"),
)
"""First bytes of zlib, gzip, bzip2 and xz."""

ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|[\\'\"nrt])")
ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
BASE64 = re.compile(rb"[A-Za-z0-9+/_\-\r\n]+")
HEX = re.compile(rb"[0-9a-fA-F\r\n]+")
NOTATION = re.compile(rb"[^\n]+")
ANYTHING = re.compile(rb"[\s\S]+")


def _from_base64(blob: bytes) -> bytes:
    blob = b"".join(blob.split()).replace(b"-", b"+").replace(b"_", b"/")
    return base64.b64decode(blob[: len(blob) // 4 * 4])


def _from_hex(blob: bytes) -> bytes:
    blob = b"".join(blob.split())
    return binascii.unhexlify(blob[: len(blob) // 2 * 2])


def _from_notation(blob: bytes) -> bytes:
    def plain(found: re.Match[bytes]) -> bytes:
        word = found[1]
        return bytes.fromhex(word[1:].decode()) if len(word) == 3 else ESCAPED.get(word, word)

    return ESCAPE.sub(plain, blob)


Reader = tuple[re.Pattern[bytes], Callable[[bytes], bytes]]
"""The characters of a notation, and how it is read."""


def _beginnings() -> Iterator[tuple[bytes, Reader]]:
    """How compressed data begins in each notation."""
    for first in FORMATS:
        yield first, (ANYTHING, bytes)
        yield repr(first)[2:-1].encode(), (NOTATION, _from_notation)
        yield first.hex().encode(), (HEX, _from_hex)
        yield first.hex().upper().encode(), (HEX, _from_hex)
        # Two bytes are not whole characters of base64: the rest depends on what follows.
        length = max(4, (len(first) * 8 + 5) // 6)
        for code in {base64.b64encode(first + n.to_bytes(2))[:length] for n in range(1 << 16)}:
            yield code, (BASE64, _from_base64)
            yield code.replace(b"/", b"_").replace(b"+", b"-"), (BASE64, _from_base64)


@cache
def _readers() -> tuple[dict[bytes, list[Reader]], LiteralTable]:
    """How to read what begins so, and a table of the beginnings that are long enough for it."""
    found: dict[bytes, list[Reader]] = {}
    for first, reader in _beginnings():
        if reader not in found.setdefault(first, []):
            found[first].append(reader)
    return found, LiteralTable(exact_literal(first) for first in sorted(found) if len(first) >= 4)


@dataclass
class Unpacker:
    """Unpacks what is compressed in the passages of one run, within its limits."""

    tries: int = MAX_TRIES
    plain: int = MAX_PLAIN

    def unpack(self, passages: Iterable[Passage]) -> Iterator[Passage]:
        """The unpacked texts, as passages at the place of the packed ones."""
        for passage in passages:
            for start, stop, text in self._blobs(passage.text):
                inner = placed(passage, start, stop, text)
                yield inner
                if len(text) <= MAX_BLOB:
                    yield from islice(decoded(inner, LEVELS - 1), 20)

    def _blobs(self, text: bytes) -> Iterator[tuple[int, int, bytes]]:
        readers, _ = _readers()
        for first, place in _places(text):
            for reader in readers[first]:
                if self.tries <= 0 or self.plain <= 0:
                    return
                self.tries -= 1
                if found := self._unpacked(reader, text, place):
                    yield place, *found

    def _unpacked(self, reader: Reader, text: bytes, place: int) -> tuple[int, bytes] | None:
        """Where the packed text ends and what it contains; None if it is not packed."""
        extent, decode = reader
        plain, stop = b"", place
        for length in (HEAD, MAX_BLOB):  # most beginnings are none, so look at a few bytes first
            if (found := extent.match(text, place, place + length)) is None:
                return None
            part = None
            with suppress(ValueError):
                part = next(decompress(decode(found[0]), min(self.plain, MAX_DECODED)), None)
            if part is None or (part and not is_text(part)):
                return None
            plain, stop = part, found.end()
            self.plain -= len(plain)
            if stop < place + length:
                break
        return (stop, plain) if plain else None


def _places(text: bytes) -> Iterator[tuple[bytes, int]]:
    """Where compressed data may begin."""
    readers, table = _readers()
    for literal, start, _ in table.find(text):
        yield literal.exact or literal.text, start
    for first in readers:
        place = text.find(first) if len(first) < 4 else -1
        while place >= 0:
            yield first, place
            place = text.find(first, place + 1)
