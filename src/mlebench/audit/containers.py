"""Tables and scalars inside containers: JSON, parquet, TFRecord, BSON, MATLAB and HDF5 files."""

from __future__ import annotations

import io
import json
import struct
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

LARGEST = 1 << 26
DAMAGE = (
    *(ValueError, OSError, LookupError, TypeError, RuntimeError),
    *(DataError, struct.error, MemoryError, ImportError),
)
"""What readers raise for files that are damaged, or of another kind than their name says, and
without h5py, which `missing_library` reports."""

DEPTH, MOST_RECORDS = 6, 20_000
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
    reader = READERS.get(file.raw.suffix.lower())
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
        raise DataError(f"{file.path} is no BSON file") from error


def _mat(file: PublicFile) -> dict[str, Any]:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    data = file.raw.read_bytes()
    if data[:8] == b"\x89HDF\r\n\x1a\n" or data[512:520] == b"\x89HDF\r\n\x1a\n":
        return _hdf(file)
    try:
        found = loadmat(io.BytesIO(data), simplify_cells=True)
    except MatReadError as error:
        raise DataError(f"{file.path} is no MATLAB file") from error
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
}


def keys_of(content: Any, depth: int = DEPTH, members: int = 20) -> Iterator[str]:
    """The names of all fields, of at most some members of each list."""
    if isinstance(content, Mapping):
        for key, inner in content.items():
            yield str(key)
            if depth:
                yield from keys_of(inner, depth - 1, members)
    elif isinstance(content, list) or (
        isinstance(content, np.ndarray) and content.dtype == np.dtype(object)
    ):
        for inner in list(content)[:members]:
            if depth:
                yield from keys_of(inner, depth - 1, members)


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
    """Lists of objects and groups of equally long arrays, by their path inside a container."""
    found = {}
    if isinstance(content, list):
        found[""] = _from_rows(content)
    elif isinstance(content, Mapping):
        found[""] = _from_arrays(content)
        for key, inner in content.items():
            if isinstance(inner, (list, Mapping)):
                found |= {f"#{key}{path}": table for path, table in tables_of(inner).items()}
    return {path: table for path, table in found.items() if table is not None}


def _from_rows(rows: Iterable[Any]) -> pd.DataFrame | None:
    import pandas as pd

    cells = [
        {str(name): plain(value) for name, value in row.items()}
        for row in rows
        if isinstance(row, Mapping)
    ]
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
