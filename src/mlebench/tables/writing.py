"""Writing tables: `\\n` line ends, no index, minimal quoting, shortest floats."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import IO

from mlebench.archives.ledger import note_rows
from mlebench.tables.frames import Frame


def write_table(frame: Frame, path: Path, *, float_format: str | None = None) -> None:
    """A CSV without index, `\\n` line ends, shortest floats unless told, gaps as empty cells."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False, lineterminator="\n", float_format=float_format)
    note_rows(path, len(frame))


def format_table(frame: Frame, *, sep: str = ",") -> str:
    """The text that `write_table` would write, with this separator."""
    return str(frame.to_csv(index=False, lineterminator="\n", sep=sep))


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


def write_json_rows(frame: Frame, path: Path) -> None:
    """A JSON object per line, floats rounded to ten decimals."""
    frame.to_json(path, orient="records", lines=True)
