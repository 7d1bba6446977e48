"""Read tables: CSV, TSV, lists of JSON objects, JSON lines and annotation files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pandas as pd

from .files import TABLES, Found

ROWS_FOR_TRAINING = 200_000
"""Of a training table; more rows hardly help these models and take time."""

LARGEST_JSON = 400 << 20
MOST_TABLES = 30
Table = Any
"""A `pandas.DataFrame`."""


@dataclass(frozen=True)
class Peek:
    """A table and its first rows as text."""

    file: Found
    head: Table

    @property
    def columns(self) -> list[str]:
        return [str(column) for column in self.head.columns]


def peek_tables(files: Sequence[Found]) -> list[Peek]:
    """The readable tables; folders with many tables contain one per row and are left out."""
    counts = Counter(_folder(file) for file in files if file.suffix in TABLES)
    peeks = []
    for file in files:
        if file.suffix in TABLES and counts[_folder(file)] <= MOST_TABLES:
            head = read(file, rows=50, as_text=None)
            if head is not None and len(head):
                peeks.append(Peek(file, head))
    return peeks


def _folder(file: Found) -> str:
    return file.path.rpartition("/")[0] + file.suffix


def read(file: Found, *, rows: int | None = None, as_text: Sequence[str] | None = ()) -> Table:
    """The table in a file; None if there is none.

    Args:
        as_text: columns that are read as text; None for all.
    """
    try:
        if file.suffix in (".csv", ".tsv"):
            return _read_csv(file, rows, as_text)
        table = _read_json(file, rows)
    except (OSError, ValueError, pd.errors.ParserError):
        return None
    if table is None or as_text == ():
        return table
    columns = list(table.columns) if as_text is None else [c for c in as_text if c in table]
    return table.assign(**{str(c): table[c].map(spelled) for c in columns})


def _read_csv(file: Found, rows: int | None, as_text: Sequence[str] | None) -> Table:
    kinds: Any = str if as_text is None else dict.fromkeys(as_text, str)
    with file.open() as stream:
        return pd.read_csv(
            stream,
            sep="\t" if file.suffix == ".tsv" else ",",
            nrows=rows,
            dtype=kinds,
            keep_default_na=as_text is not None,
            encoding_errors="replace",
            low_memory=False,
        )


def _read_json(file: Found, rows: int | None) -> Table:
    if file.suffix == ".jsonl":
        with file.open() as stream:
            lines = [json.loads(line) for line in islice(stream, rows or 20_000)]
        return pd.DataFrame(lines)
    if file.size > LARGEST_JSON:
        return None
    data = json.loads(file.read())
    if isinstance(data, list) and data and isinstance(data[0], dict):
        return pd.DataFrame(data[:rows])
    if isinstance(data, dict) and isinstance(data.get("images"), list):
        return _annotated_images(data)
    return None


def _annotated_images(data: dict[str, Any]) -> Table:
    """One row per image of an annotation file, with the first annotation of each."""
    images = pd.DataFrame(data["images"])
    if not data.get("annotations") or "id" not in images:
        return images
    annotations = pd.DataFrame(data["annotations"])
    if "image_id" not in annotations:
        return images
    first = annotations.drop_duplicates("image_id").drop(columns="id", errors="ignore")
    fresh = [c for c in first.columns if c not in images.columns]
    return images.merge(first[fresh], left_on="id", right_on="image_id")


def spelled(value: Any) -> str:
    """A cell as text; empty if it is missing."""
    if value is None or value != value:
        return ""
    if isinstance(value, (list, dict)):
        return json.dumps(value)
    return str(value)
