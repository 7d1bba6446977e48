"""Tables and scalars inside containers: JSON, XML, parquet, TFRecord, BSON, MATLAB, HDF5, npz."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import DataError
from mlebench.recipes.tfrecord import read_features, read_records

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.audit.files import PublicFile

LARGEST, LARGEST_UNPACKED = 1 << 26, 1 << 30
DAMAGE = (
    *(ValueError, OSError, LookupError, TypeError, RuntimeError),
    *(DataError, struct.error, zipfile.BadZipFile, zlib.error, MemoryError, ImportError),
)
"""What readers raise for files that are damaged, or of another kind than their name says, and
without h5py, which `missing_library` reports."""

DEPTH, MOST_MEMBERS, MOST_RECORDS, FEW_KEYS = 6, 20, 20_000, 20
SOUND = "soundfile"
LIBRARIES = {".h5": "h5py", ".hdf5": "h5py", ".wav": SOUND, ".flac": SOUND, ".ogg": SOUND}
"""Of the extra `audit`."""


def missing_library(suffixes: Iterable[str]) -> str | None:
    """A sentence about kinds of files that no installed library reads; None if there are none."""
    lacking = {s: name for s, name in LIBRARIES.items() if s in suffixes and not find_spec(name)}
    if not lacking:
        return None
    kinds, names = ", ".join(lacking), " and ".join(sorted(set(lacking.values())))
    return f"{kinds} files are not read without {names}: pip install 'mlebench[audit]'"


def content_of(file: PublicFile) -> Any:
    """What a container holds as dictionaries, lists, arrays and scalars; None for other files."""
    reader = READERS.get(file.suffix)
    if reader is None or (file.raw.size() > LARGEST and reader not in (_tfrecord, _parquet)):
        return None
    try:
        return reader(file)
    except DAMAGE:
        return None


def _json(file: PublicFile) -> Any:
    data = file.raw.read_bytes()
    try:
        return json.loads(data)
    except ValueError:
        return [json.loads(line) for line in data.splitlines() if line.strip()]


def _tfrecord(file: PublicFile) -> list[dict[str, Any]]:
    """Without images and the like, since such files are large."""
    records = islice(read_records(file.raw), MOST_RECORDS)
    return [{k: plain(v) for k, v in read_features(record).items()} for record in records]


def _parquet(file: PublicFile) -> dict[str, Any]:
    import pyarrow.parquet as pq

    if file.raw.size() > LARGEST:
        with file.raw.open() as stream:
            return dict.fromkeys(pq.read_schema(stream).names)
    table = pq.read_table(io.BytesIO(file.raw.read_bytes()))
    return {name: table.column(name).to_numpy() for name in table.column_names}


def _bson(file: PublicFile) -> list[dict[str, Any]]:
    import bson
    from bson.errors import BSONError

    try:
        return list(bson.decode_all(file.raw.read_bytes()))
    except BSONError as error:
        raise DataError(f"{file.path} is not a BSON file") from error


def _mat(file: PublicFile) -> dict[str, Any]:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    data = file.raw.read_bytes()
    if data[:8] == b"\x89HDF\r\n\x1a\n" or data[512:520] == b"\x89HDF\r\n\x1a\n":
        return _hdf(file)
    try:
        found = loadmat(io.BytesIO(data), simplify_cells=True)
    except MatReadError as error:
        raise DataError(f"{file.path} is not a MATLAB file") from error
    return {name: value for name, value in found.items() if not name.startswith("__")}


def _hdf(file: PublicFile) -> dict[str, Any]:
    import h5py

    def read(node: Any) -> Any:
        found: Any = dict(node.attrs)
        if isinstance(node, h5py.Group):
            return found | {name: read(inner) for name, inner in node.items()}
        value = node[()] if node.size is not None and node.size <= LARGEST else None
        return found | {"": value} if found else value

    with h5py.File(io.BytesIO(file.raw.read_bytes()), "r") as content:
        whole: dict[str, Any] = read(content)
    return whole


def _npz(file: PublicFile) -> dict[str, Any]:
    data = io.BytesIO(file.raw.read_bytes())
    with zipfile.ZipFile(data) as packed:
        if sum(member.file_size for member in packed.infolist()) > LARGEST_UNPACKED:
            raise DataError(f"the arrays of {file.path} are too large to be searched")
    with np.load(data, allow_pickle=False) as content:
        return dict(content)


def _xml(file: PublicFile) -> dict[str, Any]:
    """Elements and attributes; of elements with the same name the first."""
    from xml.etree import ElementTree

    def read(node: ElementTree.Element) -> Any:
        inner = {child.tag: read(child) for child in reversed(node)}
        return node.attrib | inner if inner or node.attrib else (node.text or "").strip()

    try:
        root = ElementTree.fromstring(file.raw.read_bytes())
    except ElementTree.ParseError as error:
        raise DataError(f"{file.path} is not an XML file") from error
    return {root.tag: read(root)}


READERS: dict[str, Callable[[PublicFile], Any]] = {
    ".json": _json,
    ".jsonl": _json,
    ".geojson": _json,
    ".tfrec": _tfrecord,
    ".tfrecord": _tfrecord,
    ".parquet": _parquet,
    ".bson": _bson,
    ".mat": _mat,
    ".h5": _hdf,
    ".hdf5": _hdf,
    ".npz": _npz,
    ".xml": _xml,
}


def keys_of(content: Any, depth: int = DEPTH) -> Iterator[str]:
    """The names of all fields, of at most some members of each list."""
    inner: Iterable[Any] = ()
    if isinstance(content, Mapping):
        yield from map(str, content)
        inner = content.values()
    elif isinstance(content, list) or (
        isinstance(content, np.ndarray) and content.dtype == np.dtype(object)
    ):
        inner = content[:MOST_MEMBERS]
    for value in inner if depth else ():
        yield from keys_of(value, depth - 1)


def scalars_of(content: Any, prefix: str = "", depth: int = 3) -> dict[str, Any]:
    """The short scalars of a container about one item, by their path inside it."""
    found: dict[str, Any] = {}
    if not isinstance(content, Mapping):
        return found
    for key, inner in content.items():
        name = f"{prefix}{key}"
        value = plain(inner)
        if value is not None:
            found[name] = value
        elif depth:
            found |= scalars_of(inner, f"{name}/", depth - 1)
    return found


def plain(value: Any) -> Any:
    """A number or a short text; None for everything else."""
    if isinstance(value, (list, np.ndarray)) and np.size(value) == 1 and np.ndim(value):
        value = np.ravel(np.asarray(value, dtype=object))[0]
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, str):
        return value if len(value) <= 200 else None
    return value if isinstance(value, (bool, int, float, np.number, np.bool_)) else None


def tables_of(content: Any) -> dict[str, pd.DataFrame]:
    """Lists of objects and groups of equally long arrays, by their path inside a container.

    Many objects or scalars by name are one table, with the names as column `key`.
    """
    found = {}
    if isinstance(content, list):
        found[""] = _from_rows(content)
    elif isinstance(content, Mapping) and (rows := _by_key(content)):
        found[""] = _from_rows(rows)
    elif isinstance(content, Mapping):
        found[""] = _from_arrays(content)
        for key, inner in content.items():
            if isinstance(inner, (list, Mapping)):
                found |= {f"#{key}{path}": table for path, table in tables_of(inner).items()}
    return {path: table for path, table in found.items() if table is not None}


def _by_key(content: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """A row for each of many keys, unless some of their values are lists or arrays."""
    if len(content) < FEW_KEYS:
        return []
    if all(isinstance(inner, Mapping) for inner in content.values()):
        return [{**inner, "key": str(key)} for key, inner in content.items()]
    values = {str(key): plain(inner) for key, inner in content.items()}
    is_plain = all(value is not None for value in values.values())
    return [{"key": key, "value": value} for key, value in values.items()] if is_plain else []


def _from_rows(rows: Iterable[Any]) -> pd.DataFrame | None:
    import pandas as pd

    cells = [scalars_of(row) for row in rows if isinstance(row, Mapping)]
    return pd.DataFrame(cells).dropna(axis=1, how="all") if cells else None


def _from_arrays(columns: Mapping[Any, Any]) -> pd.DataFrame | None:
    import pandas as pd

    arrays = {
        str(name): np.ravel(value)
        for name, value in columns.items()
        if isinstance(value, np.ndarray) and value.size > 1 and value.size == max(value.shape)
    }
    length = max(map(len, arrays.values()), default=0)
    kept = {
        name: [v.decode("latin-1") if isinstance(v, bytes) else v for v in array]
        for name, array in arrays.items()
        if len(array) == length
    }
    return pd.DataFrame(kept) if kept else None
