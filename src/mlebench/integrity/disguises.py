"""Texts hidden inside programs: base64, hexadecimal, escapes, lists of character codes, zlib."""

from __future__ import annotations

import base64
import binascii
import bz2
import hashlib
import lzma
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from mlebench.integrity.evidence import Passage

BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{16,}={0,2}")
PIECES = re.compile(rb"""["']\s*(?:\+|\\?\n|,)?\s*(?:[rbuf]{0,2})["']""", re.IGNORECASE)
BASE85 = re.compile(
    rb"""(?:["'])([0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~./:\[\]-]{20,})(?=["'])""", re.IGNORECASE
)
BASE32 = re.compile(rb"[A-Z2-7]{16,}={0,6}")
HEX = re.compile(rb"(?:[0-9a-fA-F]{2}){8,}")
ESCAPES = re.compile(rb"(?:\\x[0-9a-fA-F]{2}){4,}")
CODES = re.compile(rb"(?:\d{2,3}\s*,\s*){7,}\d{2,3}")
CHARACTERS = re.compile(
    rb"(?:chr\(\s*(?:0x)?[0-9a-fA-F]{2,3}\s*\)\s*\+\s*){3,}chr\(\s*\w{2,4}\s*\)"
)
PERCENT = re.compile(rb"(?:%[0-9a-fA-F]{2}){3,}")
MAX_TEXT = 2 << 20
MAX_BLOBS = 400
MAX_DECODED = 1 << 20
LEVELS = 2
PRINTABLE = bytes(range(32, 127)) + b"\n\r\t"


def decoded(passage: Passage, level: int = 0) -> Iterator[Passage]:
    """What is hidden in a program, as passages at the place of the encoded text."""
    if len(passage.text) > MAX_TEXT:
        return
    for start, stop, text in islice(_blobs(passage.text), MAX_BLOBS):
        inner = placed(passage, start, stop, text)
        yield inner
        if level + 1 < LEVELS:
            yield from decoded(inner, level + 1)


def placed(passage: Passage, start: int, stop: int, text: bytes) -> Passage:
    """A text that bytes `start` to `stop` of a passage contain in another form."""
    if not passage.is_raw:
        return replace(passage, text=text)
    place = passage.text[start:stop]
    return replace(
        passage,
        offset=passage.offset + start,
        length=len(place),
        sha256=hashlib.sha256(place).hexdigest(),
        text=text,
        is_raw=False,
    )


def _blobs(text: bytes) -> Iterator[tuple[int, int, bytes]]:
    joined = PIECES.sub(b"", text)
    for expression, decode in (
        (BASE64, _from_base64),
        (BASE85, _from_base85),
        (BASE32, _from_base32),
    ):
        for found in expression.finditer(joined):
            for plain in decode(found[0].strip(b"\"'")):
                yield *_place(text, found[0]), plain
    yield from _codes(text, joined)


def _codes(text: bytes, joined: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Texts whose characters are written one by one."""
    for found in HEX.finditer(joined):
        with suppress(ValueError):
            yield from _if_text(text, found[0], binascii.unhexlify(found[0]))
    for found in ESCAPES.finditer(joined):
        yield from _if_text(text, found[0], bytes.fromhex(found[0].replace(b"\\x", b"").decode()))
    for expression in (CODES, CHARACTERS):
        for found in expression.finditer(text):
            codes = [int(code) for code in re.findall(rb"(?<![\w.])\d{2,3}", found[0])]
            codes += [int(code, 16) for code in re.findall(rb"0x([0-9a-fA-F]{2})", found[0])]
            if all(code < 256 for code in codes):
                yield from _if_text(text, found[0], bytes(codes))
    for found in PERCENT.finditer(joined):
        plain = re.sub(rb"%([0-9a-fA-F]{2})", lambda m: bytes.fromhex(m[1].decode()), found[0])
        yield from _if_text(text, found[0], plain)


def _place(text: bytes, blob: bytes) -> tuple[int, int]:
    """The position of a blob; a split one is found by its beginning."""
    start = text.find(blob)
    if start >= 0:
        return start, start + len(blob)
    start = max(0, text.find(blob[:8]))
    return start, min(len(text), start + 2 * len(blob))


def _if_text(text: bytes, blob: bytes, plain: bytes) -> Iterator[tuple[int, int, bytes]]:
    if is_text(plain):
        yield *_place(text, blob), plain


def is_text(data: bytes) -> bool:
    head = data[:2000]
    return len(head) >= 4 and len(head.translate(None, PRINTABLE)) <= 0.05 * len(head)


def _from_base64(blob: bytes) -> Iterator[bytes]:
    """The plain text of a blob, decompressed if it is compressed."""
    blob = blob.rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
    if len(blob) % 4 == 1:
        blob = blob[:-1]
    with suppress(ValueError):
        data = base64.b64decode(blob + b"=" * (-len(blob) % 4))
        yield from islice(_texts_in(data), 1)


def _from_base32(blob: bytes) -> Iterator[bytes]:
    blob = blob.rstrip(b"=")
    with suppress(ValueError):
        yield from _texts_in(base64.b32decode(blob + b"=" * (-len(blob) % 8)))


def _from_base85(blob: bytes) -> Iterator[bytes]:
    """The plain text of a quoted blob in one of the two alphabets, often compressed."""
    for decode in (base64.b85decode, base64.a85decode):
        with suppress(ValueError):
            yield from _texts_in(decode(blob))


def _texts_in(data: bytes) -> Iterator[bytes]:
    """The data and what is compressed in it, where these are texts."""
    return (plain for plain in (data, *decompress(data)) if is_text(plain))


def decompress(data: bytes, limit: int = MAX_DECODED) -> Iterator[bytes]:
    """Up to a megabyte of what is compressed, for the usual formats."""
    if data[:1] == b"\x78" or data[:2] == b"\x1f\x8b":
        with suppress(zlib.error):
            yield zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, limit)
    if data[:3] == b"BZh":
        with suppress(OSError, ValueError):
            yield bz2.BZ2Decompressor().decompress(data, limit)
    if data[:6] == b"\xfd7zXZ\x00":
        with suppress(lzma.LZMAError):
            yield lzma.LZMADecompressor().decompress(data, limit)
