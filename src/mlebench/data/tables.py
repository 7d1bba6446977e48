"""Reading and writing tables: only this room knows about float parsing, indexes and line ends."""

from __future__ import annotations

import csv
import json
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from mlebench.data.frames import Frame
from mlebench.data.ledger import note_rows
from mlebench.data.raw import Raw
from mlebench.errors import DataError

LARGE_INTEGER = 2.0**63


def read_table(
    source: Raw | Path, *, sep: str = ",", dtype: Any = None, exact: bool = True
) -> Frame:
    """A CSV as pandas reads it by default, with floats parsed exactly or as pandas 2 did."""
    frame = _read(source, sep=sep, dtype=dtype)
    return frame if exact else _with_default_floats(frame, source, sep)


def _read(source: Raw | Path, **options: Any) -> Frame:
    import pandas as pd

    with source.open("rb") if isinstance(source, Path) else source.open() as stream:
        try:
            return pd.read_csv(stream, **_exact_floats(), **options)
        except pd.errors.EmptyDataError:
            raise DataError(f"the table {source.name!r} is empty") from None


def read_at_once(path: Path) -> Frame | None:
    """A whole CSV on all processors; none where its parts differ in what a column holds.

    Then only a reader that sees the whole column can type it. pandas 2 knows no such way.
    """
    import pandas as pd

    if pd.__version__ < "3":
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.DtypeWarning)
        try:
            # As text: only the path of a file that is not packed is read in parts.
            table = pd.read_csv(str(path), index_col=False, compression=None)
        except (pd.errors.DtypeWarning, pd.errors.EmptyDataError):
            return None
    # Whole numbers of two sizes become floats without a warning.
    largest = table.select_dtypes("float64").max()
    return None if (largest >= LARGE_INTEGER).any() else table


def read_pieces(source: Raw | Path, *, rows: int = 100_000, **options: Any) -> Iterator[Frame]:
    """A CSV too large for memory, some rows at a time; floats are parsed exactly.

    The caller states the types of columns where a piece alone may look like another type.
    """
    import pandas as pd

    with (
        source.open("rb") if isinstance(source, Path) else source.open() as stream,
        pd.read_csv(stream, chunksize=rows, **_exact_floats(), **options) as pieces,
    ):
        yield from pieces


def _exact_floats() -> dict[str, Any]:
    import pandas as pd

    # pandas 3 always parses exactly and knows no other way.
    return {"float_precision": "round_trip"} if pd.__version__ < "3" else {}


class TableWriter:
    """A CSV written piece by piece in the style of `write_table`; the first brings the header."""

    def __init__(self, target: Path | IO[bytes], *, quote_texts: bool = False) -> None:
        self._path = target if isinstance(target, Path) else None
        self._stream = target.open("wb") if isinstance(target, Path) else target
        self._quoting = csv.QUOTE_NONNUMERIC if quote_texts else csv.QUOTE_MINIMAL
        self._is_new = True
        self._rows = 0

    def write(self, frame: Frame) -> None:
        """Add rows; all pieces have the same columns."""
        frame.to_csv(
            self._stream,
            mode="wb",
            index=False,
            header=self._is_new,
            lineterminator="\n",
            quoting=self._quoting,
        )
        self._is_new = False
        self._rows += len(frame)

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
        if self._path:
            note_rows(self._path, self._rows)


def _with_default_floats(frame: Frame, source: Raw | Path, sep: str) -> Frame:
    """Read the float columns once more as text, and parse them as pandas 2 did."""
    from mlebench.data.float_parser import reparse

    names = list(frame.columns[[kind == "float64" for kind in frame.dtypes]])
    if not names:
        return frame
    texts = _read(source, sep=sep, dtype=str, usecols=names)
    for name in names:
        floats = reparse(texts[name], frame[name])
        frame[name] = texts[name] if floats is None else floats
    return frame


def write_table(frame: Frame, path: Path, *, float_format: str | None = None) -> None:
    """A CSV without index, `\\n` line ends, shortest floats unless told, gaps as empty cells."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False, lineterminator="\n", float_format=float_format)
    note_rows(path, len(frame))


def format_table(frame: Frame, *, sep: str = ",") -> str:
    """The text that `write_table` would write, with this separator."""
    return str(frame.to_csv(index=False, lineterminator="\n", sep=sep))


def read_json_rows(source: Raw) -> Frame:
    """JSON objects, one a line, as pandas reads them by default: quick, not to the last digit."""
    import pandas as pd

    with source.open() as stream:
        return pd.read_json(stream, lines=True)


def write_json_rows(frame: Frame, path: Path) -> None:
    """A JSON object per line, floats rounded to ten decimals."""
    frame.to_json(path, orient="records", lines=True)


@dataclass(frozen=True)
class JsonLines:
    """The JSON values of a file, read anew, one by one, whenever they are walked through.

    There is one a line; only `\\n` ends a line, since texts may hold other separators.
    """

    path: Path

    def __iter__(self) -> Iterator[Any]:
        with self.path.open("rb") as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def split_rows(rows: Any, *, test_size: float | int, seed: int = 0) -> tuple[Any, Any]:
    """Shuffle and split a table, list or array into train and test, in the order drawn."""
    train, test = split_positions(len(rows), test_size=test_size, seed=seed)
    if hasattr(rows, "iloc"):
        return rows.iloc[train], rows.iloc[test]
    if hasattr(rows, "dtype"):
        return rows[train], rows[test]
    return [rows[i] for i in train.tolist()], [rows[i] for i in test.tolist()]


def split_positions(count: int, *, test_size: float | int, seed: int = 0) -> tuple[Any, Any]:
    """Row numbers of train and test, as scikit-learn's `train_test_split` would draw them."""
    import numpy as np

    # Drawn here, since importing scikit-learn takes longer than preparing most competitions.
    drawn = math.ceil(test_size * count) if isinstance(test_size, float) else test_size
    if not 0 < drawn < count:
        raise DataError(f"the raw data has {count:,} rows, too few to draw {drawn:,} for the test")
    order = np.random.RandomState(seed).permutation(count)
    return order[drawn:], order[:drawn]


def split_groups(
    frame: Frame, column: str, *, test_size: float | int, seed: int = 0
) -> tuple[Frame, Frame]:
    """Split by the distinct values of a column (in order of appearance); rows keep their order."""
    _, test = split_rows(list(frame[column].unique()), test_size=test_size, seed=seed)
    is_test = frame[column].isin(test)
    return frame[~is_test], frame[is_test]


def split_sorted_groups(
    frame: Frame, column: str, *, test_size: float | int, seed: int = 0
) -> tuple[Frame, Frame]:
    """Split by the distinct values of a column, ascending; rows follow the groups as drawn."""
    import numpy as np
    import pandas as pd

    members, groups = pd.factorize(frame[column], sort=True)
    parts = []
    for drawn in split_positions(len(groups), test_size=test_size, seed=seed):
        place = np.full(len(groups), -1)
        place[drawn] = np.arange(len(drawn))
        places = place[members]
        order = np.argsort(places, kind="stable")
        parts.append(frame.iloc[order[int((places < 0).sum()) :]])
    return parts[0], parts[1]


def one_hot(labels: Sequence[Any], classes: Sequence[Any]) -> dict[Any, Any]:
    """A 0/1 column for each class."""
    import numpy as np

    values = np.asarray(labels)
    return {name: (values == name).astype(int) for name in classes}
