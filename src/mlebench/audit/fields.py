"""Names and values of the fields inside public files: containers, image tags, DICOM elements."""

from __future__ import annotations

import io
import json
import struct
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from mlebench.errors import DataError
from mlebench.recipes.tfrecord import feature_names, read_records

if TYPE_CHECKING:
    from mlebench.audit.audited import PublicFile

IMAGES = (".jpg", ".jpeg", ".png", ".tif", ".tiff")
DICOM = (".dcm", ".dicom")
LARGEST = 1 << 26
RECORDS = 20
HEADER = 1 << 16
LONG_KINDS = (b"OB", b"OW", b"OF", b"SQ", b"UT", b"UN")


def field_names(file: PublicFile) -> set[str]:
    """The names of the fields of a container; empty for kinds of files without names."""
    suffix = file.raw.suffix.lower()
    reader = NAMES.get(suffix)
    if reader is None or file.raw.size() > LARGEST:
        return set()
    try:
        return reader(file)
    except (ValueError, OSError, LookupError, TypeError, DataError, NotImplementedError):
        return set()  # damaged, or of another kind than its name says


def _json_names(file: PublicFile) -> set[str]:
    text = file.raw.read_bytes()
    try:
        values = [json.loads(text)]
    except ValueError:
        values = [json.loads(line) for line in text.splitlines()[:RECORDS]]
    return set(_keys(values))


def _keys(value: Any) -> Iterator[str]:
    """The keys of objects, of at most `RECORDS` members of each list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value[:RECORDS]:
            yield from _keys(inner)


def _tfrecord_names(file: PublicFile) -> set[str]:
    records = islice(read_records(file.raw), RECORDS)
    return set().union(*(feature_names(record) for record in records))


def _parquet_names(file: PublicFile) -> set[str]:
    import pyarrow.parquet as pq

    return set(pq.read_schema(io.BytesIO(file.raw.read_bytes())).names)


def _mat_names(file: PublicFile) -> set[str]:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        content = loadmat(io.BytesIO(file.raw.read_bytes()), struct_as_record=True)
    except MatReadError as error:
        raise DataError(f"{file.path} is no mat file") from error
    found = {name for name in content if not name.startswith("__")}
    for value in content.values():
        found |= set(_struct_names(value))
    return found


def _struct_names(value: Any, depth: int = 4) -> Iterator[str]:
    for name in getattr(getattr(value, "dtype", None), "names", None) or ():
        yield name
        if depth and value.size:
            yield from _struct_names(value[name].flat[0], depth - 1)


def _csv_names(file: PublicFile) -> set[str]:
    with file.raw.open() as stream:
        header = stream.read(HEADER).split(b"\n", 1)[0].decode(errors="replace")
    return {name.strip(' "\r') for name in header.split(",")}


NAMES = {
    ".json": _json_names,
    ".jsonl": _json_names,
    ".tfrec": _tfrecord_names,
    ".tfrecord": _tfrecord_names,
    ".parquet": _parquet_names,
    ".mat": _mat_names,
    ".csv": _csv_names,
}


def tags(file: PublicFile) -> dict[str, str]:
    """Tags of an image or DICOM file, by name; the pixels are not decoded."""
    suffix = file.raw.suffix.lower()
    try:
        if suffix in IMAGES:
            with warnings.catch_warnings(action="ignore"):  # of damaged EXIF data
                return _image_tags(file)
        return _dicom_tags(file) if suffix in DICOM else {}
    except (ValueError, OSError, SyntaxError, DataError, struct.error):
        return {}


def _image_tags(file: PublicFile) -> dict[str, str]:
    from PIL import ExifTags, Image

    with file.raw.open() as stream, Image.open(stream) as image:
        found = {str(ExifTags.TAGS.get(key, key)): value for key, value in image.getexif().items()}
        texts = {str(name): text for name, text in image.info.items() if isinstance(text, str)}
        shape = {"width": image.width, "height": image.height, "mode": image.mode}
    return {name: str(value)[:200] for name, value in (found | texts | shape).items()}


def _dicom_tags(file: PublicFile) -> dict[str, str]:
    """Short elements before the pixels, of files with explicit types in little-endian order."""
    with file.raw.open() as stream:
        data = stream.read(HEADER)
    if data[128:132] != b"DICM":
        return {}
    found, at = {}, 132
    while at + 12 <= len(data):
        group, element, kind = struct.unpack_from("<HH2s", data, at)
        if group == 0x7FE0 or not kind.isalpha():
            break
        is_long = kind in LONG_KINDS
        (size,) = struct.unpack_from("<I" if is_long else "<H", data, at + (8 if is_long else 6))
        at += 12 if is_long else 8
        if size <= 200:
            found[f"{group:04x},{element:04x}"] = (
                data[at : at + size].decode("latin-1").strip(" \0")
            )
        at += size
    return found
