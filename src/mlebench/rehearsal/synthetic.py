"""Synthetic files for rehearsal data: everything written is the same bytes for the same seed.

A rehearsal is `rehearsal.py` in a competition's folder with `make_raw(raw, seed, scale)`, which
writes what Kaggle's archive holds once unzipped: small, with the real names, columns, nesting and
value styles.
"""

from __future__ import annotations

import io
import random
import struct
import tarfile
import wave
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

EPOCH = (2020, 1, 1, 0, 0, 0)


def rng(seed: int, *salt: object) -> random.Random:
    """A stream of its own for each purpose: rng(seed, 'train')."""
    return random.Random("/".join(map(str, (seed, *salt))))


def write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def csv_text(header: list[str], rows: Iterable[Iterable[object]]) -> str:
    """Plain CSV with minimal quoting and \\n line ends."""
    import csv

    out = io.StringIO()
    w = csv.writer(out, lineterminator="\n")
    w.writerow(header)
    w.writerows(rows)
    return out.getvalue()


def write_csv(path: Path, header: list[str], rows: Iterable[Iterable[object]]) -> None:
    write_text(path, csv_text(header, rows))


def png(
    width: int,
    height: int,
    r: random.Random,
    mode: str = "L",
    pixel: Callable[[int, int], Any] | None = None,
) -> bytes:
    """A real PNG (mode L, RGB or I;16) of random pixels, or of pixel(x, y) -> int | tuple."""
    channels = {"L": 1, "RGB": 3, "I;16": 2}[mode]
    lines = bytearray()
    for y in range(height):
        lines.append(0)
        for x in range(width):
            if pixel is None:
                lines += bytes(r.randrange(256) for _ in range(channels))
            else:
                v = pixel(x, y)
                lines += (
                    struct.pack(">H", v)
                    if mode == "I;16"
                    else bytes(v if isinstance(v, tuple) else (v,))
                )
    depth, color = {"L": (8, 0), "RGB": (8, 2), "I;16": (16, 0)}[mode]

    def chunk(tag: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + tag + body + struct.pack(">I", zlib.crc32(tag + body))

    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(lines), 6))
        + chunk(b"IEND", b"")
    )


# The smallest baseline JPEG that decoders accept: 8x8, one grey component.
_JPEG_HEX = (
    "ffd8ffdb004300"
    + "01" * 64
    + "ffc0000b080008000801011100"
    + "ffc4001f0000010501010101010100000000000000000102030405060708090a0b"
    + "ffc400b5100002010303020403050504040000017d"
    + "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718"
    + "191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475"
    + "767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3"
    + "c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa"
    + "ffda0008010100003f00"
)


def jpeg(r: random.Random) -> bytes:
    """A tiny JPEG that differs from every other one by a comment segment."""
    base = bytes.fromhex(_JPEG_HEX)
    note = f"{r.getrandbits(64):016x}".encode()
    com = b"\xff\xfe" + struct.pack(">H", len(note) + 2) + note
    return base[:2] + com + base[2:] + b"\xfe\x8a\x28\xff\xd9"


def wav(r: random.Random, seconds: float = 0.05, rate: int = 16000) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(rate)
        w.writeframes(bytes(r.randrange(256) for _ in range(2 * int(seconds * rate))))
    return out.getvalue()


def blob(r: random.Random, size: int = 64, magic: bytes = b"") -> bytes:
    """Unique opaque bytes for files that preparation only copies."""
    return magic + bytes(r.randrange(256) for _ in range(size))


def zip_bytes(members: dict[str, bytes]) -> bytes:
    """A zip with fixed timestamps; a name that ends in '/' is a folder."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in members.items():
            z.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def write_zip(path: Path, members: dict[str, bytes]) -> None:
    write_bytes(path, zip_bytes(members))


def write_7z(path: Path, members: dict[str, bytes]) -> None:
    """A 7z; its bytes carry the time of writing, its members do not."""
    import py7zr

    path.parent.mkdir(parents=True, exist_ok=True)
    with py7zr.SevenZipFile(path, "w") as z:
        for name, data in members.items():
            z.writestr(data, name)


def write_tgz(path: Path, members: dict[str, bytes], mode: Literal["w", "w:gz"] = "w:gz") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, mode) as t:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))


def hex_id(r: random.Random, n: int = 12) -> str:
    return f"{r.getrandbits(4 * n):0{n}x}"


def words(r: random.Random, n: int) -> str:
    vocab = [
        "the",
        "a",
        "of",
        "to",
        "model",
        "train",
        "data",
        "loss",
        "taxi",
        "whale",
        "leaf",
        "cell",
        "image",
        "sound",
        "note",
        "day",
        "night",
        "light",
        "dark",
        "blue",
        "green",
        "fast",
        "slow",
    ]
    return " ".join(r.choice(vocab) for _ in range(n))
