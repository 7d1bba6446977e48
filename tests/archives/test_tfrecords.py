"""The checksum of TFRecord files, by published values and bit by bit."""

from __future__ import annotations

import random

import pytest

from mlebench.archives.tfrecords import crc32c, varint


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),  # RFC 3720, appendix B.4
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
    ],
)
def test_published_values(data: bytes, expected: int) -> None:
    assert crc32c(data) == expected


@pytest.mark.parametrize("size", [1023, 1024, 1025, 4096, 5000, 70_001])
def test_long_data(size: int) -> None:
    data = random.Random(size).randbytes(size)
    assert crc32c(data) == bit_by_bit(data)


def bit_by_bit(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_varint() -> None:
    assert varint(300) == b"\xac\x02"
