"""TFRecord files of `tf.train.Example` records, without TensorFlow."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from typing import Any


def tfrecords(examples: Iterable[Mapping[str, Any]]) -> bytes:
    """A TFRecord file of examples with bytes and integer features."""
    out = b""
    for record in map(_example, examples):
        head = struct.pack("<Q", len(record))
        out += head + _masked_crc(head) + record + _masked_crc(record)
    return out


def _example(features: Mapping[str, Any]) -> bytes:
    entries = b""
    for key, value in features.items():
        if isinstance(value, bytes):
            feature = _field(1, _field(1, value))
        else:
            feature = _field(3, _field(1, _varint(value)))
        entries += _field(1, _field(1, key.encode()) + _field(2, feature))
    return _field(1, entries)


def _field(number: int, body: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def _crc_table() -> list[int]:
    table = []
    for number in range(256):
        crc = number
        for _ in range(8):
            crc = (crc >> 1) ^ 0x82F63B78 if crc & 1 else crc >> 1
        table.append(crc)
    return table


CRC_TABLE = _crc_table()


def _masked_crc(data: bytes) -> bytes:
    """The CRC-32C as TFRecord stores it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)
