"""Writing tables: `\\n` line ends, no index, minimal quoting, shortest floats.

The package that writes files is imported when one is written: grading reads only.
"""

from __future__ import annotations

import csv
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, Self

if TYPE_CHECKING:
    import pandas as pd


def write_table(frame: pd.DataFrame, path: Path, *, float_format: str | None = None) -> None:
    """Write a CSV: no index, `\\n` line ends, shortest floats by default, empty missing cells."""
    from mlebench.archives.writing import open_output

    with open_output(path) as stream:
        frame.to_csv(stream, mode="wb", index=False, lineterminator="\n", float_format=float_format)
    _log_rows(path, len(frame))


def _log_rows(path: Path, count: int) -> None:
    from mlebench.archives.write_log import log_of

    if log := log_of(path):
        log.rows[str(path)] = count


def format_table(frame: pd.DataFrame, *, sep: str = ",") -> str:
    """The text that `write_table` would write, with this separator."""
    return str(frame.to_csv(index=False, lineterminator="\n", sep=sep))


class TableWriter:
    """A CSV written piece by piece in the style of `write_table`; the first includes the header.

    A target that is a stream stays open.
    """

    def __init__(self, target: Path | IO[bytes], *, quote_texts: bool = False) -> None:
        self._target = target
        self._quoting: Literal[0, 2] = csv.QUOTE_NONNUMERIC if quote_texts else csv.QUOTE_MINIMAL
        self._stack = ExitStack()
        self._is_new = True
        self._rows = 0

    def __enter__(self) -> Self:
        from mlebench.archives.writing import open_output

        target = self._target
        if isinstance(target, Path):
            target = self._stack.enter_context(open_output(target))
        self._stream = target
        return self

    def __exit__(self, *exception: Any) -> None:
        self._stack.__exit__(*exception)
        if isinstance(self._target, Path):
            _log_rows(self._target, self._rows)

    def write(self, frame: pd.DataFrame) -> None:
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
