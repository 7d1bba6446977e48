"""Names and values of fields inside public files: containers, tags, DICOM, NMEA, short texts."""

from __future__ import annotations

import struct
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

from mlebench.audit.containers import DAMAGE, READERS, content_of, keys_of, scalars_of

if TYPE_CHECKING:
    from mlebench.audit.files import PublicFile

IMAGES = (".jpg", ".jpeg", ".png", ".tif", ".tiff")
TABLES = (".csv", ".tsv")
HEADER = 1 << 16
LONG_KINDS = (b"OB", b"OD", b"OF", b"OL", b"OW", b"SQ", b"UC", b"UN", b"UR", b"UT")
BINARY = {b"US": "<H", b"SS": "<h", b"UL": "<I", b"SL": "<i", b"FL": "<f", b"FD": "<d"}
SHORT_FILE = 200
IMPLICIT, UNDEFINED = "1.2.840.10008.1.2", 0xFFFFFFFF


def field_names(file: PublicFile) -> set[str]:
    """The names of the fields of a container or table; empty for other files."""
    if file.suffix in TABLES:
        header = _head(file).split(b"\n", 1)[0].decode(errors="replace")
        return {name.strip(' "\r') for name in header.split(separator(file.suffix))}
    return set(keys_of(content_of(file)))


def separator(suffix: str) -> str:
    """What separates the cells of such a table."""
    return "\t" if suffix == ".tsv" else ","


def _head(file: PublicFile) -> bytes:
    with file.raw.open() as stream:
        return stream.read(HEADER)


def tags(file: PublicFile) -> dict[str, str]:
    """Tags of an image or a sound, of DICOM and NMEA files, scalars of a container, short texts."""
    suffix = file.suffix
    try:
        if suffix in IMAGES:
            with warnings.catch_warnings(action="ignore"):  # of damaged EXIF data
                return _image_tags(file)
        if suffix in READERS:
            return {name: str(value) for name, value in scalars_of(content_of(file)).items()}
        reader = OTHERS.get(suffix)
        return reader(file) if reader else {}
    except (*DAMAGE, SyntaxError):
        return {}


def _image_tags(file: PublicFile) -> dict[str, str]:
    from PIL import ExifTags, Image

    with file.raw.open() as stream, Image.open(stream) as image:
        exif = image.getexif()
        entries = dict(exif.items())
        for block in ExifTags.IFD:
            entries |= exif.get_ifd(block)
        found = {str(ExifTags.TAGS.get(key, key)): value for key, value in entries.items()}
        texts = {str(n): v for n, v in image.info.items() if isinstance(v, (str, int, float))}
        comment = {"comment": image.info["comment"]} if "comment" in image.info else {}
        shape = {"width": image.width, "height": image.height, "mode": image.mode}
    return {name: str(value)[:200] for name, value in (found | texts | comment | shape).items()}


def _nmea_fields(file: PublicFile) -> dict[str, str]:
    """The fields of the first sentence of each kind: `GPGGA/7`."""
    found: dict[str, str] = {}
    for line in _head(file).decode("latin-1").splitlines():
        kind, *values = line.partition("*")[0].split(",")
        for place, value in enumerate(values, start=1):
            found.setdefault(f"{kind.lstrip('$')}/{place}", value)
    return found


def _dicom_tags(file: PublicFile) -> dict[str, str]:
    """Short elements before the pixels, of little-endian files; nested ones by their own names."""
    data = _head(file)
    if data[128:132] != b"DICM":
        return {}
    found: dict[str, str] = {}
    at = 132
    while at + 8 <= len(data):
        group, element, kind, size = struct.unpack_from("<HH2sH", data, at)
        if group == 0x7FE0:
            break
        # The header (group 2) is explicit always, what follows as its transfer syntax says.
        is_explicit = group == 2 or found.get("0002,0010") != IMPLICIT
        is_long = not is_explicit or kind in LONG_KINDS or group == 0xFFFE
        at += 8
        if is_long:
            at += 4 if is_explicit and group != 0xFFFE else 0
            (size,) = struct.unpack_from("<I", data, at - 4)
        if kind == b"SQ" or group == 0xFFFE or size == UNDEFINED:
            continue  # what is inside follows
        if size <= 200:
            value = data[at : at + size]
            found[f"{group:04x},{element:04x}"] = _element(kind, value)
        at += size
    return found


def _element(kind: bytes, value: bytes) -> str:
    """Text, or a number of a binary type."""
    form = BINARY.get(kind)
    if form and len(value) >= struct.calcsize(form):
        return str(struct.unpack_from(form, value)[0])
    return value.decode("latin-1").strip(" \0")


def _words(file: PublicFile) -> dict[str, str]:
    """The words of a short file of one line, such as the class and the corners of a box."""
    if file.raw.size() > SHORT_FILE:
        return {}
    lines = file.raw.read_bytes().decode("latin-1").splitlines()
    words = lines[0].split() if len(lines) == 1 else []
    return {f"word {place}": word for place, word in enumerate(words, start=1)}


def _wave_chunks(file: PublicFile) -> dict[str, str]:
    """The texts of a WAV file about itself, such as its comment (`ICMT`)."""
    data = _head(file)
    start = data.find(b"INFO")
    found: dict[str, str] = {}
    at = start + 4
    while start >= 0 and at + 8 <= len(data) and data[at : at + 1] == b"I":
        (size,) = struct.unpack_from("<I", data, at + 4)
        text = data[at + 8 : at + 8 + min(size, 200)]
        found[data[at : at + 4].decode("latin-1")] = text.decode("latin-1").strip(" \0")
        at += 8 + size + size % 2
    return found


OTHERS: dict[str, Callable[[PublicFile], dict[str, str]]] = {
    ".nmea": _nmea_fields,
    ".dcm": _dicom_tags,
    ".dicom": _dicom_tags,
    ".txt": _words,
    ".wav": _wave_chunks,
}
