"""Writing TFRecord files without TensorFlow: framed records, protobuf fields, their checksum."""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POLYNOMIAL = 0x82F63B78
"""Of CRC-32C, bits reversed."""

SHORT = 1024
"""Bytes; for fewer a plain loop is quicker than arrays."""

LANE = 256
"""Bytes of one of the pieces that are processed side by side."""


def frame_record(data: bytes) -> bytes:
    """A record as it is in the file: length, checksum, data, checksum."""
    head = struct.pack("<Q", len(data))
    return head + _masked(crc32c(head)) + data + _masked(crc32c(data))


def field(number: int, body: bytes) -> bytes:
    """A length-delimited protobuf field."""
    return varint(number << 3 | 2) + varint(len(body)) + body


def varint(number: int) -> bytes:
    """A number with seven bits in each byte, lowest first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def crc32c(data: bytes) -> int:
    """The CRC-32C; megabytes take milliseconds."""
    if len(data) < SHORT:
        crc = 0xFFFFFFFF
        for byte in data:
            crc = TABLE[(crc ^ byte) & 255] ^ (crc >> 8)
        return crc ^ 0xFFFFFFFF
    return _by_lanes(data) ^ 0xFFFFFFFF


def _masked(crc: int) -> bytes:
    """A checksum as TFRecord stores it."""
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def _make_table() -> list[int]:
    table = []
    for number in range(256):
        crc = number
        for _ in range(8):
            crc = (crc >> 1) ^ POLYNOMIAL if crc & 1 else crc >> 1
        table.append(crc)
    return table


TABLE = _make_table()


def _by_lanes(data: bytes) -> int:
    """The checksum without its final inversion, from those of lanes, joined two by two.

    The state before the first byte is 0 here: the usual start, all ones, is the same as the first
    four bytes inverted. Zeros in front then change nothing.
    """
    import numpy as np

    lanes = 1 << max(0, (len(data) - 1) // LANE).bit_length()
    padded = np.zeros(lanes * LANE, np.uint8)
    start = len(padded) - len(data)
    padded[start:] = np.frombuffer(data, np.uint8)
    padded[start : start + 4] ^= 255
    columns = np.ascontiguousarray(padded.reshape(lanes, LANE).T)
    table = np.array(TABLE, np.uint32)
    crc = np.zeros(lanes, np.uint32)
    for column in columns:
        crc = table[(crc & 255) ^ column] ^ (crc >> 8)
    level = 0
    while len(crc) > 1:
        crc = _apply(_skip(level), crc[::2]) ^ crc[1::2]
        level += 1
    return int(crc[0])


@cache
def _skip(level: int) -> NDArray[np.uint32]:
    """The effect of `LANE << level` zero bytes on each bit of the state."""
    import numpy as np

    if level:
        half = _skip(level - 1)
        return _apply(half, half)
    table = np.array(TABLE, np.uint32)
    state = np.uint32(1) << np.arange(32, dtype=np.uint32)
    for _ in range(LANE):
        state = table[state & 255] ^ (state >> 8)
    return state


def _apply(images: NDArray[np.uint32], states: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """A linear map, given by the images of the 32 bits, applied to many states."""
    import numpy as np

    result = np.zeros(len(states), np.uint32)
    for bit in range(32):
        result ^= (states >> np.uint32(bit) & np.uint32(1)) * images[bit]
    return result
