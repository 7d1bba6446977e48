"""Reading tables: only this package knows about float parsing and index columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mlebench.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.archives.raw import Raw

GAPS = frozenset(
    "|#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a"
    "|nan|null".split("|")
)
"""What pandas takes for a missing value."""


def read_table(
    source: Raw | Path,
    *,
    sep: str = ",",
    dtype: Any = None,
    exact: bool = True,
    has_gaps: bool = True,
    columns: Sequence[str] | None = None,
) -> pd.DataFrame:
    """A CSV as pandas reads it by default, with floats parsed exactly or as pandas 2 did.

    Args:
        columns: those to read; all by default.
        has_gaps: whether words such as `NA` and empty cells are missing values.
    """
    frame = _read(source, sep=sep, dtype=dtype, na_filter=has_gaps, usecols=columns)
    return frame if exact else _with_default_floats(frame, source, sep)


def _read(source: Raw | Path, **options: Any) -> pd.DataFrame:
    import pandas as pd

    def parse(**precision: Any) -> pd.DataFrame:
        with source.open("rb") if isinstance(source, Path) else source.open() as stream:
            table: pd.DataFrame = pd.read_csv(stream, **precision, **options)
        return table

    try:
        return read_exactly(parse)
    except pd.errors.EmptyDataError:
        raise DataError(f"the table {source.name!r} is empty") from None


def read_zipped_table(archive: Raw, name: str = "", *, sep: str = ",") -> pd.DataFrame:
    """A CSV inside an archive, which by default has the archive's name without its suffix."""
    from mlebench.archives.unpacking import unpacked

    with unpacked(archive) as content:
        return read_table(content / (name or archive.stem), sep=sep)


def read_pieces(
    source: Raw | Path, *, rows: int = 100_000, **options: Any
) -> Iterator[pd.DataFrame]:
    """A CSV too large for memory, some rows at a time; floats are parsed exactly.

    The caller specifies the types of columns that could look like another type in a single piece.
    """
    import pandas as pd

    with (
        source.open("rb") if isinstance(source, Path) else source.open() as stream,
        pd.read_csv(stream, chunksize=rows, **exact_floats(), **options) as pieces,
    ):
        yield from pieces


def read_exactly(parse: Callable[..., pd.DataFrame]) -> pd.DataFrame:
    """The table that `parse`, a call of `read_csv`, returns if floats are parsed exactly.

    The exact parser of pandas 3.0 fails on a string such as `5e45577b`: if the next column has
    whole numbers they become unsigned (gaps become 0) or objects. Such columns are parsed again.
    """
    table = parse(**exact_floats())
    if _pandas_version() != (3, 0) or not any(map(_is_doubtful, table.dtypes)):
        return table
    plain = parse()
    for k, kind in enumerate(table.dtypes):
        if _is_doubtful(kind):
            table.isetitem(k, plain.iloc[:, k].array)
    return table


def exact_floats() -> dict[str, Any]:
    """The arguments that make pandas parse floats exactly."""
    # Since version 3.1 pandas does so by default, and the argument causes a warning.
    return {"float_precision": "round_trip"} if _pandas_version() < (3, 1) else {}


def _is_doubtful(kind: Any) -> bool:
    return kind in ("uint64", object)


def _pandas_version() -> tuple[int, ...]:
    import pandas as pd

    return tuple(int(part) for part in pd.__version__.split(".")[:2])


def _with_default_floats(frame: pd.DataFrame, source: Raw | Path, sep: str) -> pd.DataFrame:
    """Read the float columns once more as text, and parse them as pandas 2 did."""
    from mlebench.tables.float_parser import reparse

    names = list(frame.columns[[kind == "float64" for kind in frame.dtypes]])
    if not names:
        return frame
    texts = _read(source, sep=sep, dtype=str, usecols=names)
    for name in names:
        floats = reparse(texts[name], frame[name])
        frame[name] = texts[name] if floats is None else floats
    return frame


@dataclass(frozen=True)
class JsonLines:
    """The JSON values of a file, one per line; each iteration reads the file again.

    Only `\\n` ends a line, because strings may contain other separators.
    """

    path: Path

    def __iter__(self) -> Iterator[Any]:
        with self.path.open("rb") as lines:
            yield from (_decode(line) for line in lines if line.strip())


def _decode(line: bytes) -> Any:
    """A JSON value; msgspec is several times faster than `json`, which accepts more (`NaN`)."""
    try:
        return msgspec.json.decode(line)
    except msgspec.MsgspecError:
        return json.loads(line)
