"""JPEG and PNG files of test items have the same pixels and listed tags only."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ExifTags, Image, ImageCms, ImageOps, PngImagePlugin

from mlebench.preparing.pictures import clean

SECRET = "melanoma"
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def gradient(mode: str = "RGB") -> Image.Image:
    picture = Image.linear_gradient("L").resize((40, 24))
    return Image.merge("RGB", (picture, picture.rotate(180), picture)).convert(mode)


def exif(orientation: int | None = 6) -> Image.Exif:
    found = Image.Exif()
    found[ExifTags.Base.ImageDescription] = SECRET
    if orientation:
        found[ExifTags.Base.Orientation] = orientation
    found.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.UserComment] = SECRET.encode()
    found.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSAreaInformation] = SECRET.encode()
    return found


def jpeg(
    picture: Image.Image | None = None, *, orientation: int | None = 6, **options: object
) -> bytes:
    out = io.BytesIO()
    (picture or gradient()).save(
        out,
        "JPEG",
        exif=exif(orientation),
        comment="holiday",
        xmp=f"<x:xmpmeta>{SECRET}</x:xmpmeta>".encode(),
        icc_profile=PROFILE,
        **options,
    )
    return out.getvalue()


def png(picture: Image.Image | None = None, **options: object) -> bytes:
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Comment", SECRET)
    texts.add_text("Zipped", SECRET * 9, zip=True)
    texts.add_itxt("XML:com.adobe.xmp", SECRET)
    texts.add(b"tIME", struct.pack(">HBBBBB", 2020, 1, 2, 3, 4, 5))
    out = io.BytesIO()
    (picture or gradient()).save(
        out, "PNG", pnginfo=texts, exif=exif(), icc_profile=PROFILE, dpi=(72, 72), **options
    )
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def assert_same_picture(data: bytes, found: bytes) -> None:
    one, other = opened(data), opened(found)
    assert (one.mode, one.size, one.tobytes()) == (other.mode, other.size, other.tobytes())
    assert one.info.get("icc_profile") == other.info.get("icc_profile")
    assert one.info.get("dpi") == other.info.get("dpi")
    turned = [ImageOps.exif_transpose(picture).tobytes() for picture in (one, other)]
    assert turned[0] == turned[1]
    assert clean(found) == found


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("is_progressive", [False, True])
def test_jpeg(mode: str, is_progressive: bool) -> None:
    data = jpeg(gradient(mode), progressive=is_progressive)
    found = clean(data)
    assert_same_picture(data, found)
    assert dict(opened(found).getexif()) == {ExifTags.Base.Orientation: 6}
    assert "xmp" not in opened(found).info
    assert opened(found).info["comment"] == b"holiday"
    assert SECRET.encode() in data
    assert SECRET.encode() not in found


@pytest.mark.parametrize("orientation", [None, 1, 8, 9])
def test_orientation(orientation: int | None) -> None:
    found = opened(clean(jpeg(orientation=orientation))).getexif()
    expected = {ExifTags.Base.Orientation: orientation} if orientation in (1, 8) else {}
    assert dict(found) == expected


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", [3, 4])
def test_spellings_of_the_orientation(order: str, kind: int) -> None:
    number = struct.pack(f"{order}{'H2x' if kind == 3 else 'I'}", 3)
    entry = struct.pack(f"{order}HHI", 0x0112, kind, 1) + number
    head = (b"II" if order == "<" else b"MM") + struct.pack(f"{order}HIH", 42, 8, 1)
    data = with_segments(0xE1, b"Exif\0\0" + head + entry + bytes(4))
    assert opened(clean(data)).getexif()[ExifTags.Base.Orientation] == 3


def with_segments(marker: int, *contents: bytes) -> bytes:
    """A plain JPEG with these segments first."""
    out = io.BytesIO()
    gradient().save(out, "JPEG")
    segments = (struct.pack(">BBH", 0xFF, marker, len(c) + 2) + c for c in contents)
    return out.getvalue()[:2] + b"".join(segments) + out.getvalue()[2:]


@pytest.mark.parametrize("marker", [0xE0, 0xE1, 0xE2, 0xE3, 0xEC, 0xED, 0xEE, 0xEF])
def test_other_segments_are_dropped(marker: int) -> None:
    plain, data = with_segments(0xFE), with_segments(marker, b"MPF\0" + SECRET.encode())
    assert clean(data) == plain
    assert clean(with_segments(marker, *[SECRET.encode()] * 5000)) == plain


def test_nothing_remains_after_a_jpeg_or_between_its_scans() -> None:
    data = jpeg(progressive=True)
    scan = data.rindex(b"\xff\xda")
    comment = b"\xff\xfe" + struct.pack(">H", 2 + len(SECRET)) + SECRET.encode()
    assert clean(data[:scan] + comment + data[scan:] + SECRET.encode()) == clean(data)
    # Decoders skip these bytes, too.
    assert clean(data[:2] + b"\0\xff\xff" + data[2:]) == clean(data)


def test_restart_markers_are_coded_data() -> None:
    data = jpeg(restart_marker_blocks=1)
    assert b"\xff\xd0" in data
    assert_same_picture(data, clean(data))


@pytest.mark.parametrize("is_progressive", [False, True])
def test_jpeg_without_end(is_progressive: bool) -> None:
    """Decoders show the part that there is, so that its tags count."""
    data = jpeg(progressive=is_progressive)
    for length in range(data.index(b"\xff\xda") + 20, len(data), 7):
        found = clean(data[:length])
        assert SECRET.encode() not in found
        # A lone 0xFF at the end is no marker.
        assert data[:length].rstrip(b"\xff").endswith(found[-20:].rstrip(b"\xff"))
        assert clean(found) == found


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "I;16"])
def test_png(mode: str) -> None:
    picture = gradient("L").convert("I").convert("I;16") if mode == "I;16" else gradient(mode)
    options = {"transparency": 3} if mode == "P" else {}
    data = png(picture, **options)
    found = clean(data)
    assert_same_picture(data, found)
    assert chunks(data) >= {b"tEXt", b"zTXt", b"iTXt", b"tIME", b"eXIf"}
    assert not chunks(found) & {b"tEXt", b"zTXt", b"iTXt", b"tIME"}
    assert chunks(found) >= {b"iCCP", b"pHYs"} | ({b"tRNS"} if mode == "P" else set())
    assert dict(opened(found).getexif()) == {ExifTags.Base.Orientation: 6}
    assert SECRET.encode() not in found


def chunks(data: bytes) -> set[bytes]:
    found, at = set(), 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        assert zlib.crc32(data[at + 4 : at + 8 + length]) == int.from_bytes(
            data[at + 8 + length : at + 12 + length], "big"
        )
        found.add(kind)
        at += 12 + length
    return found


def test_frames_of_a_png() -> None:
    frames = [gradient(), gradient().rotate(90)]
    data = png(frames[0], save_all=True, append_images=frames[1:])
    found = clean(data)
    assert chunks(found) >= {b"acTL", b"fcTL", b"fdAT"}
    assert opened(found).n_frames == 2
    assert_same_picture(data, found)


def test_nothing_remains_after_a_png() -> None:
    assert clean(png() + SECRET.encode()) == clean(png())
    cut = png()[:-30]
    assert SECRET.encode() not in clean(cut)
    assert cut.endswith(clean(cut)[-20:])


def test_formats_are_told_by_content() -> None:
    out = io.BytesIO()
    gradient().save(out, "TIFF", description=SECRET)
    assert clean(out.getvalue()) == out.getvalue()


START, BLANK = b"\xff\xd8", b"\xff\xd8\xff\xd9"
PNG = b"\x89PNG\r\n\x1a\n"
NOT_PARSED = {
    "nothing": b"",
    "start only": START,
    "end only": BLANK,
    "random": START + bytes(range(256)),
    "length of 0": START + b"\xff\xfe\0\0" + SECRET.encode(),
    "segment without end": START + b"\xff\xfe\xff\xff" + SECRET.encode(),
    "no frame": START + b"\xff\xda\0\2" + SECRET.encode() + b"\xff\xd9",
    "many bytes that fill": START + b"\xff" * 1_000_000,
    "signature only": PNG,
    "no pixels": PNG + b"\0\0\0\4IHDRabcdcrc.",
    "absurd length": PNG + b"\xff\xff\xff\xfftEXt" + SECRET.encode(),
}


@pytest.mark.parametrize("data", NOT_PARSED.values(), ids=NOT_PARSED)
def test_what_cannot_be_parsed_is_unchanged(data: bytes) -> None:
    assert clean(data) == data


@settings(max_examples=300, deadline=None)
@given(
    data=st.sampled_from([jpeg(), jpeg(progressive=True), png(), png(gradient("P"))]),
    changes=st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), max_size=8),
    length=st.integers(0, 6000),
)
def test_damage_never_stops_a_preparation(
    data: bytes, changes: list[tuple[int, int]], length: int
) -> None:
    damaged = bytearray(data[:length])
    for place, value in changes:
        if place < len(damaged):
            damaged[place] = value
    found = clean(bytes(damaged))
    assert clean(found) == found
    assert len(found) <= len(damaged) + 100


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([START, PNG, bytes(128) + b"DICM"]), st.binary(max_size=300))
def test_any_bytes(start: bytes, rest: bytes) -> None:
    found = clean(start + rest)
    assert clean(found) == found
