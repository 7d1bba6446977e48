"""Rows of a CSV as pandas would read and print them again, without pandas: many rows at a time.

In pandas each column has one type for the whole file: whole numbers, numbers, or texts. What is not
clearly one of the three raises `NotStreamable`; then pandas itself must do it.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from mlebench.competitions.new_york_city_taxi_fare_prediction.respelling import respell
from mlebench.tables.reading import GAPS

Kind = Literal["int", "float", "text"]

INTEGER = re.compile(r" *[+-]?\d+ *", re.ASCII)
NUMBER = re.compile(r" *[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)? *", re.ASCII)
MAYBE_NUMBER = re.compile(r"\s*([+-]?(\d|\.\d|inf|nan).*|true|false)\s*", re.ASCII | re.I)
TEXT_MARKS = frozenset(":;!?@$%&()*=|~^`{}[]'bcghjkmpvwxzBCGHJKMPVWXZ")
"""Characters that occur in no number, no missing value and no boolean."""

SMALLEST, LARGEST = 1e-4, 1e10
"""Between the two, Arrow prints the shortest digits as Python does."""


class NotStreamable(Exception):
    """The table has something whose meaning depends on how pandas cuts it into pieces."""


class Widened(Exception):
    """A column of integers turned out to have others; previous rows must be formatted again."""

    def __init__(self, column: int) -> None:
        super().__init__(column)
        self.column = column


def guess_kind(column: Any) -> Kind:
    """The kind of a column, from its first rows."""
    values = column.slice(0, 1000).to_pylist()
    filled = [value for value in values if value not in GAPS]
    if len(filled) == len(values) and all(INTEGER.fullmatch(value) for value in filled):
        return "int"
    return "float" if all(NUMBER.fullmatch(value) for value in filled) else "text"


def parse(
    block: bytes | memoryview, columns: list[str], kinds: list[Kind] | None = None
) -> list[Any]:
    """The columns of whole rows, as texts; with kinds, those of kind float as numbers."""
    import pyarrow as pa
    from pyarrow import csv

    types = {name: pa.string() for name in columns}
    if kinds:
        names = (name for name, kind in zip(columns, kinds, strict=True) if kind == "float")
        types |= dict.fromkeys(names, pa.float64())
    try:
        table = csv.read_csv(
            pa.BufferReader(block),
            csv.ReadOptions(column_names=columns, block_size=len(block) + 1, use_threads=False),
            csv.ParseOptions(quote_char=False),
            csv.ConvertOptions(
                column_types=types, strings_can_be_null=False, null_values=sorted(GAPS)
            ),
        )
    except pa.ArrowInvalid:
        raise NotStreamable from None
    return [column.combine_chunks() for column in table.columns]


def printed_columns(block: bytes | memoryview, columns: list[str], kinds: list[Kind]) -> list[Any]:
    """The texts of all columns as pandas prints their values."""
    texts = parse(block, columns)
    found = [
        respell(column, print_floats) if kind == "float" else _printed(column, kind, number)
        for number, (column, kind) in enumerate(zip(texts, kinds, strict=True))
    ]
    if any(column is None for column in found):
        found = _printed_numbers(block, columns, kinds)
    return found


def _printed_numbers(block: bytes | memoryview, columns: list[str], kinds: list[Kind]) -> list[Any]:
    """The same where numbers are written in other ways: all of them are read."""
    try:
        found = parse(block, columns, kinds)
    except NotStreamable:
        # Arrow may not know this spelling: parse the texts one by one.
        found = parse(block, columns)
    return [
        _printed(column, kind, number)
        for number, (column, kind) in enumerate(zip(found, kinds, strict=True))
    ]


def _printed(column: Any, kind: Kind, number: int) -> Any:
    import pyarrow as pa

    if kind == "text":
        return _texts(column)
    if kind == "int":
        return _integers(column, number)
    if column.type == pa.string():
        column = pa.array(map(_float, column.to_pylist()), pa.float64())
    return print_floats(column)


def _integers(column: Any, number: int) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if _is_plain(column):
        try:
            return pc.cast(pc.cast(column, pa.int64()), pa.string())
        except pa.ArrowInvalid:
            pass
    values = column.to_pylist()
    if not all(INTEGER.fullmatch(value) for value in values):
        if all(value in GAPS or NUMBER.fullmatch(value) for value in values):
            raise Widened(number)
        raise NotStreamable
    numbers = [int(value) for value in values]
    if not -(2**63) <= min(numbers) <= max(numbers) < 2**63:
        raise NotStreamable
    return pa.array(map(str, numbers), pa.string())


def _float(value: str) -> float | None:
    if value in GAPS:
        return None
    if not NUMBER.fullmatch(value):
        raise NotStreamable
    return float(value)


def _is_plain(column: Any) -> bool:
    """Whether there is nothing but digits, points and minus signs."""
    import numpy as np

    data = column.buffers()[2]
    if data is None:
        return True
    found = np.frombuffer(data, np.uint8)
    return not np.count_nonzero((found > ord("9")) | (found < ord("-")) | (found == ord("/")))


def print_floats(numbers: Any) -> Any:
    """The texts of floats as Python prints them; nothing for gaps."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pc.cast(numbers, pa.string())
    if numbers.null_count:
        texts, numbers = pc.fill_null(texts, ""), pc.fill_null(numbers, 0.5)
    values = numbers.to_numpy()
    size = np.abs(values)
    if not size.max(initial=0) < np.inf:
        # Versions of pandas disagree about what is too large for a float.
        raise NotStreamable
    is_odd = ((size < SMALLEST) & (size > 0)) | (size >= LARGEST)
    is_whole = (size == np.trunc(size)) & ~is_odd
    if is_whole.any():
        mask = pa.array(is_whole)
        whole = pc.binary_join_element_wise(pc.filter(texts, mask), "0", ".")
        texts = pc.replace_with_mask(texts, mask, whole)
    if is_odd.any():
        exact = pa.array(map(repr, values[is_odd].tolist()), pa.string())
        texts = pc.replace_with_mask(texts, pa.array(is_odd), exact)
    return texts


def _all_have(column: Any, mark: str, first: str) -> bool:
    """Whether all texts have a mark at the place where the first has it: keys often do."""
    import numpy as np

    place = len(first[: first.index(mark)].encode())
    data = np.frombuffer(column.buffers()[2], np.uint8)
    offsets = np.frombuffer(column.buffers()[1], np.int32)[column.offset :][: len(column) + 1]
    if np.diff(offsets).min() <= place:
        return False
    return bool((data[offsets[:-1] + place] == ord(mark)).all())


def _all_contain(column: Any, mark: str) -> bool:
    import pyarrow.compute as pc

    return bool(pc.min(pc.find_substring(column, mark)).as_py() >= 0)


def _texts(column: Any) -> Any:
    """Texts unchanged, gaps empty; raises NotStreamable for texts that may be numbers."""
    import pyarrow as pa

    first = column[0].as_py() if len(column) else ""
    mark = next((letter for letter in first if letter in TEXT_MARKS), None)
    if mark and (_all_have(column, mark, first) or _all_contain(column, mark)):
        return column
    values = column.to_pylist()
    gaps = 0
    for value in values:
        if value in GAPS:
            gaps += 1
        elif MAYBE_NUMBER.fullmatch(value) and not TEXT_MARKS.intersection(value):
            raise NotStreamable
    if gaps == len(values):
        raise NotStreamable
    if not gaps:
        return column
    return pa.array(["" if value in GAPS else value for value in values], pa.string())
