"""Names and values of fields inside public files: containers, image tags, DICOM, NMEA."""

from __future__ import annotations

import struct
import warnings
from typing import TYPE_CHECKING

from mlebench.audit.containers import DAMAGE, READERS, content_of, keys_of, scalars_of

if TYPE_CHECKING:
    from mlebench.audit.files import PublicFile

IMAGES = (".jpg", ".jpeg", ".png", ".tif", ".tiff")
TABLES = (".csv", ".tsv")
HEADER = 1 << 16
LONG_KINDS = (b"OB", b"OD", b"OF", b"OL", b"OW", b"SQ", b"UC", b"UN", b"UR", b"UT")
BINARY = {b"US": "<H", b"SS": "<h", b"UL": "<I", b"SL": "<i", b"FL": "<f", b"FD": "<d"}
IMPLICIT, UNDEFINED = "1.2.840.10008.1.2", 0xFFFFFFFF


def field_names(file: PublicFile) -> set[str]:
    """The names of the fields of a container or table; empty for other files."""
    if file.raw.suffix.lower() in TABLES:
        with file.raw.open() as stream:
            header = stream.read(HEADER).split(b"\n", 1)[0].decode(errors="replace")
        return {name.strip(' "\r') for name in header.split(",")}
    return set(keys_of(content_of(file)))


def tags(file: PublicFile) -> dict[str, str]:
    """Tags of an image, DICOM or NMEA file, or scalars of a container, by name; no pixels."""
    suffix = file.raw.suffix.lower()
    try:
        if suffix in IMAGES:
            with warnings.catch_warnings(action="ignore"):  # of damaged EXIF data
                return _image_tags(file)
        if suffix in READERS:
            return {name: str(value) for name, value in scalars_of(content_of(file)).items()}
        reader = {".nmea": _nmea_fields, ".dcm": _dicom_tags, ".dicom": _dicom_tags}.get(suffix)
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
    for line in file.raw.read_bytes()[:HEADER].decode("latin-1").splitlines():
        kind, *values = line.partition("*")[0].split(",")
        for place, value in enumerate(values, start=1):
            found.setdefault(f"{kind.lstrip('$')}/{place}", value)
    return found


def _dicom_tags(file: PublicFile) -> dict[str, str]:
    """Short elements before the pixels, of little-endian files; nested ones by their own names."""
    with file.raw.open() as stream:
        data = stream.read(HEADER)
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
