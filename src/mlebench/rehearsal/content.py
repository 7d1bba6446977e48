"""Contents of single files: the same bytes for the same random stream.

Pictures and recordings are tiny, yet real enough for a decoder.
"""

from __future__ import annotations

import csv
import io
import json
import struct
import wave
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

File = tuple[str, bytes]
"""Name below the raw folder, and content; a name that ends in `/` is a folder."""

PNG_KINDS = {"L": (1, 8, 0), "RGB": (3, 8, 2), "I;16": (2, 16, 0)}

# The smallest baseline JPEG that decoders accept: 8x8, one grey component.
JPEG_START = bytes.fromhex("ffd8")
JPEG_TABLES = bytes.fromhex(
    "ffdb004300"
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
JPEG_END = b"\xfe\x8a\x28\xff\xd9"


def csv_text(
    header: str | Sequence[str], rows: Iterable[Iterable[object]], quoting: Any = csv.QUOTE_MINIMAL
) -> str:
    """Plain CSV with `\\n` at the end of a line; the header may be a text, `"id,label"`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=quoting)
    writer.writerow(header.split(",") if isinstance(header, str) else header)
    writer.writerows(rows)
    return out.getvalue()


def csv_file(
    name: str,
    header: str | Sequence[str],
    rows: Iterable[Iterable[object]],
    quoting: Any = csv.QUOTE_MINIMAL,
) -> File:
    return name, csv_text(header, rows, quoting).encode()


def json_file(name: str, value: object, **options: Any) -> File:
    """A JSON document; the options are those of `json.dumps`."""
    return name, json.dumps(value, **options).encode()


def json_lines(name: str, values: Iterable[object], **options: Any) -> File:
    return lines_file(name, (json.dumps(value, **options) for value in values))


def records(keys: str, rows: Iterable[Iterable[object]]) -> list[dict[str, Any]]:
    """Rows as JSON objects: `records("id,name", enumerate(names))`."""
    return [dict(zip(keys.split(","), row, strict=True)) for row in rows]


def lines_file(name: str, lines: Iterable[object]) -> File:
    return name, "".join(f"{line}\n" for line in lines).encode()


def octets(r: Random, count: int) -> bytes:
    """What `r.randrange(256)` returns `count` times, without the cost of its calls."""
    found = bytearray()
    while len(found) < count:
        if (bits := r.getrandbits(9)) < 256:
            found.append(bits)
    return bytes(found)


@dataclass(frozen=True)
class Blob:
    """Opaque bytes as the content of a declared file."""

    size: int
    magic: bytes = b""
    end: bytes = b""

    def __call__(self, r: Random) -> bytes:
        return self.magic + octets(r, self.size) + self.end


dicom = Blob(40, b"\0" * 16 + b"DICM")


def jpeg(r: Random) -> bytes:
    """A JPEG that differs from every other one by its comment."""
    note = f"{r.getrandbits(64):016x}".encode()
    comment = b"\xff\xfe" + struct.pack(">H", len(note) + 2) + note
    return JPEG_START + comment + JPEG_TABLES + JPEG_END


@dataclass(frozen=True)
class Png:
    """Random pixels, or those that `pixel(x, y)` returns, in mode L, RGB or I;16."""

    width: int
    height: int
    mode: str = "L"
    pixel: Callable[[int, int], Any] | None = None

    def __call__(self, r: Random) -> bytes:
        channels, depth, colour = PNG_KINDS[self.mode]
        lines = bytearray()
        for y in range(self.height):
            lines.append(0)
            if self.pixel is None:
                lines += octets(r, channels * self.width)
                continue
            for x in range(self.width):
                value = self.pixel(x, y)
                if self.mode == "I;16":
                    lines += struct.pack(">H", value)
                else:
                    lines += bytes(value if isinstance(value, tuple) else (value,))
        head = struct.pack(">IIBBBBB", self.width, self.height, depth, colour, 0, 0, 0)
        chunks = (b"IHDR", head), (b"IDAT", zlib.compress(bytes(lines), 6)), (b"IEND", b"")
        return b"\x89PNG\r\n\x1a\n" + b"".join(_png_chunk(*chunk) for chunk in chunks)


def _png_chunk(tag: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + tag + body + struct.pack(">I", zlib.crc32(tag + body))


@dataclass(frozen=True)
class Wav:
    """Noise as the content of a declared file."""

    seconds: float
    rate: int = 16000

    def __call__(self, r: Random) -> bytes:
        out = io.BytesIO()
        with wave.open(out, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(self.rate)
            sound.writeframes(octets(r, 2 * int(self.seconds * self.rate)))
        return out.getvalue()


def npy(array: Any) -> bytes:
    import numpy as np

    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def parquet(frame: pd.DataFrame, *, has_index: bool = False) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out, index=has_index, engine="pyarrow", compression="snappy")
    return out.getvalue()


def run_lengths(pixels: Iterable[int]) -> str:
    """Pixel numbers as `start length start length …`."""
    runs: list[list[int]] = []
    for pixel in sorted(pixels):
        if runs and sum(runs[-1]) == pixel:
            runs[-1][1] += 1
        else:
            runs.append([pixel, 1])
    return " ".join(f"{start} {length}" for start, length in runs)
