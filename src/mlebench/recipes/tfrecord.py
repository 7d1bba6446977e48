"""TFRecord files without TensorFlow: reading records, and examples with listed features only.

A file is a sequence of records: length (8 bytes, little-endian), checksum (4), data, checksum (4).
The data is a protobuf message `Example`, which maps feature names to lists of values.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.archives.tfrecords import field, frame_record
from mlebench.archives.writing import open_output
from mlebench.errors import DataError

VARINT, FIXED_64, LENGTH_DELIMITED, FIXED_32 = 0, 1, 2, 5
CHECKSUM_BYTES = 4


def read_records(file: Raw) -> Iterator[bytes]:
    """The data of each record, one at a time; checksums are not verified."""
    return (data_of(frame) for frame in read_frames(file))


def data_of(frame: bytes) -> bytes:
    """The data of a record without its length and checksums."""
    return frame[8 + CHECKSUM_BYTES : -CHECKSUM_BYTES]


def read_frames(file: Raw) -> Iterator[bytes]:
    """Each record as it is in the file, with its length and checksums."""
    left = file.size()
    with file.open() as stream:
        while head := stream.read(8 + CHECKSUM_BYTES):
            left -= len(head) + CHECKSUM_BYTES
            (length,) = struct.unpack("<Q", head[:8]) if len(head) >= 8 else (left + 1,)
            # A damaged length must not make us allocate exabytes.
            if length > left:
                raise DataError(f"the TFRecord file {file.name!r} ends inside a record")
            yield head + stream.read(length + CHECKSUM_BYTES)
            left -= length


def read_feature(example: bytes, name: str) -> bytes:
    """The first value of a bytes feature of a serialised `Example`."""
    for known, entry in _features(example):
        if known == name.encode():
            return bytes(_first(_first(_first(entry, 2), 1), 1))
    raise DataError(f"a TFRecord example has no feature {name!r}")


def keep_features(example: bytes, names: Collection[str]) -> bytes:
    """The serialised `Example` with these features only, in the order of their names."""
    entries = {name.decode(): bytes(entry) for name, entry in _features(example)}
    kept = sorted(set(entries) & set(names))
    return field(1, b"".join(field(1, entries[name]) for name in kept))


def write_records(records: Iterable[bytes], path: Path) -> None:
    """A TFRecord file of serialised examples."""
    with open_output(path) as stream:
        for record in records:
            stream.write(frame_record(record))


def read_features(example: bytes) -> dict[str, bytes | int | float | None]:
    """The first value of each feature of a serialised `Example`; None for an empty one."""
    return {
        name.decode(errors="replace"): next(
            (_value(*item) for item in _fields(_first(entry, 2))), None
        )
        for name, entry in _features(example)
    }


def _features(example: bytes) -> Iterator[tuple[bytes, memoryview]]:
    """Name and entry (name and values) of each feature of a serialised `Example`."""
    for number, entry in _fields(_first(memoryview(example), 1)):
        if number == 1:
            yield bytes(_first(entry, 1)), entry


def _value(kind: int, values: memoryview) -> bytes | int | float | None:
    """The first of a list of bytes (kind 1), floats (2) or integers (3), packed or not."""
    if kind == 1:
        return bytes(_first(values, 1))
    packed = _first(values, 1)
    data = packed if len(packed) else values[1:]
    if not len(data):
        return None
    return float(struct.unpack_from("<f", data)[0]) if kind == 2 else _varint(data, 0)[0]


def _first(message: memoryview, wanted: int) -> memoryview:
    """The first length-delimited field of that number, empty when absent."""
    return next((value for number, value in _fields(message) if number == wanted), message[:0])


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Number and bytes of every length-delimited field; fields of other kinds are skipped."""
    position = 0
    while position < len(message):
        tag, position = _varint(message, position)
        kind = tag & 7
        if kind == VARINT:
            _, position = _varint(message, position)
        elif kind in (FIXED_64, FIXED_32):
            position += 8 if kind == FIXED_64 else 4
        elif kind == LENGTH_DELIMITED:
            length, position = _varint(message, position)
            yield tag >> 3, message[position : position + length]
            position += length
        else:
            raise DataError(f"a TFRecord example contains a protobuf field of unknown type {kind}")


def _varint(message: memoryview, position: int) -> tuple[int, int]:
    """A number stored with seven bits per byte, lowest first, and the position after it."""
    value = shift = 0
    while position < len(message):
        byte = message[position]
        position += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, position
    raise DataError("a TFRecord example ends inside a number")
