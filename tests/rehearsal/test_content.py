"""Contents of synthetic files, read by the libraries that agents would use."""

from __future__ import annotations

import io
import struct
import tarfile
import wave
import zipfile
from random import Random

import py7zr
import pytest
from PIL import Image

from mlebench.rehearsal import (
    Making,
    Png,
    Wav,
    csv_text,
    jpeg,
    lines_file,
    records,
    run_lengths,
    zipped,
)
from mlebench.rehearsal.archives import seven_zip_bytes, tar_gz_bytes, zip_bytes
from mlebench.rehearsal.content import octets
from mlebench.rehearsal.tfrecords import tfrecords

MEMBERS = [("folder/a.txt", b"first"), ("b.bin", bytes(range(256)))]


def test_octets_are_what_randrange_returns() -> None:
    r = Random(11)
    assert octets(Random(11), 1000) == bytes(r.randrange(256) for _ in range(1000))


@pytest.mark.parametrize("mode", ["L", "RGB", "I;16"])
def test_a_png_can_be_read(mode: str) -> None:
    image = Image.open(io.BytesIO(Png(5, 3, mode)(Random(0))))
    assert (image.size, image.mode) == ((5, 3), mode)


def test_the_pixels_of_a_png_are_those_of_the_function() -> None:
    grey = Image.open(io.BytesIO(Png(4, 3, "L", lambda x, y: 10 * y + x)(Random(0))))
    deep = Image.open(io.BytesIO(Png(4, 3, "I;16", lambda x, y: 1000 * y + x)(Random(0))))
    colour = Image.open(io.BytesIO(Png(4, 3, "RGB", lambda x, y: (x, y, 9))(Random(0))))
    assert grey.getpixel((3, 2)) == 23
    assert deep.getpixel((3, 2)) == 2003
    assert colour.getpixel((3, 2)) == (3, 2, 9)


def test_jpegs_can_be_read_and_differ() -> None:
    r = Random(0)
    first, second = jpeg(r), jpeg(r)
    assert first != second
    image = Image.open(io.BytesIO(first))
    image.load()
    assert image.size == (8, 8)


def test_a_recording_has_its_length_and_rate() -> None:
    with wave.open(io.BytesIO(Wav(0.01, 8000)(Random(0)))) as sound:
        assert (sound.getframerate(), sound.getnframes()) == (8000, 80)


@pytest.mark.parametrize(
    ("pixels", "runs"),
    [([], ""), ([5], "5 1"), ([7, 1, 3, 2], "1 3 7 1"), (range(1, 10), "1 9"), ([1, 3], "1 1 3 1")],
)
def test_run_lengths(pixels: list[int], runs: str) -> None:
    assert run_lengths(pixels) == runs


def test_tables_lines_and_records() -> None:
    assert csv_text("a,b", [(1, 'x "y"'), ("p,q", "")]) == 'a,b\n1,"x ""y"""\n"p,q",\n'
    assert csv_text(["a, b"], []) == '"a, b"\n'
    assert lines_file("a.txt", ["x", 2]) == ("a.txt", b"x\n2\n")
    assert records("id,name", [(1, "a")]) == [{"id": 1, "name": "a"}]
    with pytest.raises(ValueError, match="shorter"):
        records("id,name", [(1,)])


def test_archives_have_their_members_and_no_clock() -> None:
    with zipfile.ZipFile(io.BytesIO(zip_bytes(MEMBERS))) as archive:
        assert [(name, archive.read(name)) for name in archive.namelist()] == MEMBERS
    single = zipped(MEMBERS[1])(Making(0, 1, Random(0)))
    assert list(single) == [("b.bin.zip", zip_bytes(MEMBERS[1:]))]
    with tarfile.open(fileobj=io.BytesIO(tar_gz_bytes(MEMBERS))) as tar:
        found = [(member.name, tar.extractfile(member)) for member in tar.getmembers()]
        assert [(name, stream and stream.read()) for name, stream in found] == MEMBERS
    packed = seven_zip_bytes(MEMBERS)
    with py7zr.SevenZipFile(io.BytesIO(packed)) as seven:
        assert seven.getnames() == [name for name, _ in MEMBERS]
        assert {entry.creationtime.year for entry in seven.list()} == {2020}
    assert packed == seven_zip_bytes(MEMBERS)


def crc32c(data: bytes) -> int:
    """Bit by bit, as the standard defines it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def test_a_tfrecord_is_framed_and_encoded_as_protocol_buffers() -> None:
    assert crc32c(b"123456789") == 0xE3069283  # the check value of the standard
    # Example { features { feature { key: "n" value { int64_list { value: 300 } } } } }, by hand.
    number = bytes.fromhex("0a02ac02")
    entry = b"\x0a\x01n" + b"\x12" + bytes([len(number) + 2]) + b"\x1a" + bytes([4]) + number
    features = b"\x0a" + bytes([len(entry)]) + entry
    record = b"\x0a" + bytes([len(features)]) + features
    head = struct.pack("<Q", len(record))
    assert tfrecords([{"n": 300}]) == head + masked(head) + record + masked(record)
    text = tfrecords([{"t": b"abc"}])
    assert b"\x0a\x01t\x12\x07\x0a\x05\x0a\x03abc" in text
