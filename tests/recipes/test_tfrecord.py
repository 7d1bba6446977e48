"""The TFRecord reader, on records put together byte by byte."""

import struct
from pathlib import Path

import pytest

from mlebench.archives.raw import Raw, RawFolder
from mlebench.errors import DataError
from mlebench.recipes.tfrecord import read_feature, read_records


def field(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2, len(data)]) + data


NUMBER = field(1, field(1, b"target") + field(2, field(3, b"\x08\x01")))
NAME = field(1, field(1, b"image_name") + field(2, field(1, field(1, b"7.jpg"))))
EXAMPLE = field(1, NUMBER + NAME)


def write(folder: Path, data: bytes) -> Raw:
    (folder / "some.tfrec").write_bytes(data)
    return RawFolder(folder) / "some.tfrec"


def record(data: bytes) -> bytes:
    return struct.pack("<Q", len(data)) + b"sum1" + data + b"sum2"


def test_records_come_in_file_order(tmp_path: Path) -> None:
    file = write(tmp_path, record(EXAMPLE) + record(b"") + record(b"last"))
    assert list(read_records(file)) == [EXAMPLE, b"", b"last"]


def test_feature_is_found_after_features_of_other_kinds() -> None:
    assert read_feature(EXAMPLE, "image_name") == b"7.jpg"


def test_missing_feature_is_named() -> None:
    with pytest.raises(DataError, match="'image'"):
        read_feature(EXAMPLE, "image")


@pytest.mark.parametrize(
    "data", [record(EXAMPLE)[:-7], b"\x01\x02", struct.pack("<Q", 1 << 60) + b"sum1"]
)
def test_damaged_file_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DataError, match="ends inside a record"):
        list(read_records(write(tmp_path, data)))
