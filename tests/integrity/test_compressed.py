"""Compressed texts in logs: every notation, and limits for what is unpacked."""

from __future__ import annotations

import base64
import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable

import pytest

from mlebench.integrity.compressed import MAX_PLAIN, MAX_TRIES, Unpacker
from mlebench.integrity.evidence import Passage
from tests.integrity.conftest import CANARY

TEXT = b"".join(b"%d,%d\n" % (n, n * n % 977) for n in range(300)) + f"1,{CANARY}\n".encode()
FORMATS: dict[str, Callable[[bytes], bytes]] = {
    "zlib": zlib.compress,
    "zlib, fast": lambda data: zlib.compress(data, 1),
    "zlib, best": lambda data: zlib.compress(data, 9),
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
NOTATIONS: dict[str, Callable[[bytes], bytes]] = {
    "bytes": bytes,
    "base64": base64.b64encode,
    "lines of base64": base64.encodebytes,
    "base64 for addresses": base64.urlsafe_b64encode,
    "hexadecimal": lambda data: data.hex().encode(),
    "capitals": lambda data: data.hex().upper().encode(),
    "Python": lambda data: repr(data).encode(),
}


def unpack(text: bytes) -> tuple[list[Passage], Unpacker]:
    unpacker = Unpacker()
    return list(unpacker.unpack([Passage("output", "x", 0, text, len(text))])), unpacker


@pytest.mark.parametrize("pack", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("write", NOTATIONS.values(), ids=NOTATIONS)
def test_packed_texts_are_found(
    pack: Callable[[bytes], bytes], write: Callable[[bytes], bytes]
) -> None:
    packed = write(pack(TEXT))
    (found,), _ = unpack(b"epoch 1\nstate: " + packed + b"\nbye\n")
    assert found.text == TEXT
    # The evidence is the packed text.
    start = 15 if not packed.startswith(b"b") else 17
    assert found.offset == start and found.length >= len(packed.strip()) - 3


def test_bombs_are_unpacked_in_part() -> None:
    bomb = base64.b64encode(zlib.compress(b"a" * (64 << 20)))
    found, unpacker = unpack(b"\n".join([bomb] * 30))
    assert 0 < sum(len(passage.text) for passage in found) <= MAX_PLAIN + (1 << 20)
    assert unpacker.plain <= 0


@pytest.mark.parametrize("flood", [b"789c", b"eJw", b"x\x9c", b"H4sI"])
def test_floods_of_beginnings(flood: bytes) -> None:
    found, unpacker = unpack(flood * 200_000)
    assert found == [] and unpacker.tries >= 0
    assert MAX_TRIES - unpacker.tries > 1000


def test_ordinary_logs() -> None:
    assert unpack(b"epoch 78 loss 0.789c\nexported eJw to x^2, BZh\n" * 50)[0] == []
