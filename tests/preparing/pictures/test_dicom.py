"""DICOM files of test items have listed elements only, in every encoding."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.preparing.pictures import clean
from tests.preparing.pictures.dicom_files import (
    BIG_ENDIAN,
    DEFLATED,
    ENCAPSULATED,
    ENCODINGS,
    EXPLICIT,
    IMPLICIT,
    PIXELS,
    SECRET,
    UNDEFINED,
    Encoding,
    in_order,
    kept_elements,
    picture,
)

each_encoding = pytest.mark.parametrize("e", ENCODINGS, ids=["implicit", "explicit", "big endian"])


def data_set(data: bytes) -> bytes:
    """What follows the file meta information."""
    (length,) = struct.unpack_from("<I", data, 140)
    return data[144 + length :]


@each_encoding
def test_listed_elements_remain(e: Encoding) -> None:
    found = clean(picture(e))
    pixels = e.element(0x7FE00010, "OW", PIXELS)
    assert data_set(found) == b"".join(kept_elements(e)) + pixels
    assert SECRET not in found
    assert e.syntax.encode() in found[:200]
    assert clean(found) == found


@each_encoding
def test_nothing_remains_around_the_data(e: Encoding) -> None:
    after = e.element(0xFFFCFFFC, "OB", SECRET) + b"melano"
    assert clean(picture(e, after=after, preamble=SECRET * 16)) == clean(picture(e))


@each_encoding
def test_elements_inside_listed_sequences(e: Encoding) -> None:
    """Whether lengths are given or not."""
    shown, hidden = e.number(0x00283002, 1), e.element(0x00283003, "LO", SECRET)
    goal = e.sequence(0x00283000, [shown, b""])
    for made in (e.sequence, e.sized_sequence):
        found = clean(e.file(made(0x00283000, [shown + hidden, hidden])))
        assert data_set(found) == goal


def test_functional_groups_of_frames() -> None:
    e = EXPLICIT
    place, date = e.element(0x00200032, "DS", b"0\\0\\1"), e.element(0x00189074, "DT", SECRET)
    frames = [e.sequence(0x00209113, [place + date]) + e.sequence(0x00189006, [date])] * 2
    goal = e.sequence(0x52009230, [e.sequence(0x00209113, [place])] * 2)
    assert data_set(clean(e.file(e.sequence(0x52009230, frames)))) == goal


@pytest.mark.parametrize("e", [EXPLICIT, BIG_ENDIAN], ids=["little", "big"])
def test_sequences_without_a_known_representation(e: Encoding) -> None:
    """Their items are implicit and little endian, whatever the file is."""
    inner = IMPLICIT.sequence(0x00091002, [IMPLICIT.element(0x00081030, "LO", SECRET)])
    unknown = e.element(0x00091001, "UN", inner[8:], UNDEFINED)
    rows = e.number(0x00280010, 8)
    assert data_set(clean(e.file(unknown, rows))) == rows


def test_a_file_that_does_not_follow_its_transfer_syntax() -> None:
    """Other readers look at the first element, too."""
    wrong = Encoding(ENCAPSULATED.syntax, is_explicit=False)
    assert data_set(clean(picture(wrong))) == data_set(clean(picture(IMPLICIT)))


def test_encapsulated_pixels_are_copied() -> None:
    e = ENCAPSULATED
    jpeg = b"\xff\xd8" + b"x" * 30
    fragments = e.mark(0xE000, 0) + (e.mark(0xE000, len(jpeg)) + jpeg) * 2
    pixels = e.element(0x7FE00010, "OB", fragments + e.mark(0xE0DD, 0), UNDEFINED)
    icon = e.sequence(0x00880200, [e.number(0x00280010, 2) + pixels])
    found = clean(e.file(*in_order(e), icon, pixels, e.element(0xFFFAFFFA, "UT", SECRET)))
    assert data_set(found) == b"".join(kept_elements(e)) + pixels
    # Without a delimiter at the end, decoders show what there is.
    cut = clean(e.file(*in_order(e), pixels[:-20], b""))
    assert data_set(cut) == b"".join(kept_elements(e)) + pixels[:-20]


@each_encoding
def test_too_few_pixels(e: Encoding) -> None:
    found = clean(picture(e)[:-10])
    assert data_set(found) == data_set(clean(picture(e)))[:-10]


def nested(e: Encoding, depth: int) -> bytes:
    inner = b""
    for _ in range(depth):
        inner = e.sequence(0x00091001, [inner])
    return inner


NOT_PARSED = {
    "other bytes": bytes(16) + b"DICM" + SECRET * 5,
    "nothing but the magic": bytes(128) + b"DICM",
    "no transfer syntax": bytes(128) + b"DICM" + EXPLICIT.number(0x00280010, 8),
    "meta information without end": bytes(128)
    + b"DICM"
    + EXPLICIT.element(0x00020010, "OB", b"", 99),
    "syntax that is no text": Encoding("1.2").file()[:-30].replace(b"1.2", b"\xff\xff\xff"),
    "compressed data set": DEFLATED.file(SECRET),
    "unknown representation": EXPLICIT.file(EXPLICIT.element(0x00100010, "ZZ", SECRET)),
    "element without end": EXPLICIT.file(EXPLICIT.element(0x00100010, "UT", SECRET, 1 << 31)),
    "sequence without end": EXPLICIT.file(EXPLICIT.sequence(0x00091001, [b""])[:-8]),
    "item without end": EXPLICIT.file(EXPLICIT.sequence(0x00091001, [b""])[:-16]),
    "text without length": EXPLICIT.file(EXPLICIT.element(0x00091001, "UT", SECRET, UNDEFINED)),
    "no items": IMPLICIT.file(IMPLICIT.element(0x00091001, "SQ", SECRET, UNDEFINED)),
    "deep nesting": EXPLICIT.file(nested(EXPLICIT, 5000)),
}


@pytest.mark.parametrize("data", NOT_PARSED.values(), ids=NOT_PARSED)
def test_what_cannot_be_parsed_is_unchanged(data: bytes) -> None:
    assert clean(data) == data


def test_nesting_as_in_real_files() -> None:
    assert data_set(clean(EXPLICIT.file(nested(EXPLICIT, 10)))) == b""


def test_many_elements() -> None:
    many = EXPLICIT.element(0x00091001, "LO", SECRET) * 20_000
    rows = EXPLICIT.number(0x00280010, 8)
    assert data_set(clean(EXPLICIT.file(many, rows))) == rows


@settings(max_examples=300, deadline=None)
@given(
    e=st.sampled_from([*ENCODINGS, ENCAPSULATED]),
    changes=st.lists(st.tuples(st.integers(0, 900), st.integers(0, 255)), max_size=8),
    length=st.integers(0, 1200),
)
def test_damage_never_stops_a_preparation(
    e: Encoding, changes: list[tuple[int, int]], length: int
) -> None:
    data = bytearray(picture(e)[:length])
    for place, value in changes:
        if place < len(data):
            data[place] = value
    found = clean(bytes(data))
    assert clean(found) == found
    assert len(found) <= len(data) + 100
