"""What predicted cells may contain: each function checks the target columns and returns an array.

They use the submission only, so that a verdict reveals nothing about the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.columns import as_matrix, holds
from mlebench.metrics.words import in_chunks, python_texts
from mlebench.system.threads import on_blocks

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

Values = Callable[["pd.DataFrame"], Any]
ROWS_AT_ONCE = 1 << 18


def numbers(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Columns that pandas reads as numbers (or True/False); gaps pass."""
    from pandas.api.types import is_numeric_dtype

    for name, column in frame.items():
        if not is_numeric_dtype(column.dtype):
            raise InvalidSubmissionError(_not_numeric(frame, str(name)))
    columns = [_as_numpy(column) for _, column in frame.items()]
    return _squeezed(as_matrix(columns, np.dtype(float)))


def finite_numbers(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Numbers without gaps and infinities."""
    return require(frame, numbers(frame), np.isfinite, "a finite number")


def numbers_between(low: float, high: float) -> Values:
    """Numbers between two bounds, both included; gaps are refused."""

    def check(frame: pd.DataFrame) -> NDArray[np.float64]:
        expected = f"a number from {low:g} to {high:g}"
        return require(frame, numbers(frame), lambda x: (x >= low) & (x <= high), expected)

    return check


probabilities = numbers_between(0, 1)


def numbers_without_gaps(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Numbers, also infinite ones."""
    return require(frame, numbers(frame), lambda found: ~np.isnan(found), "a number")


def converted_numbers(frame: pd.DataFrame, _: object = None) -> NDArray[np.float64]:
    """Finite numbers; a column of texts is read cell by cell, as Python reads floats.

    That is what scikit-learn does with a column that is not all numbers to pandas: `1_000` and
    whole numbers beyond 64 bits pass.
    """
    columns = [_as_floats(frame, name) for name in frame.columns]
    found = _squeezed(as_matrix(columns, np.dtype(float)))
    return require(frame, found, np.isfinite, "a finite number")


def probability_rows(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Probabilities whose rows sum to one, within 1.1e-5."""
    return _rows_of_one(frame, lambda sums: np.isclose(sums, 1, rtol=1e-5, atol=1e-6))


def rounded_probability_rows(decimals: int) -> Values:
    """Probabilities whose rows sum to one when the sum is rounded."""
    return lambda frame: _rows_of_one(frame, lambda sums: np.round(sums, decimals) == 1)


def rescaled_probability_rows(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Probabilities; rows that do not sum to one, within 1.1e-5, are divided by their sum."""
    found: NDArray[np.float64] = probabilities(frame)
    sums = found.sum(axis=1, keepdims=True)
    refuse(frame, np.repeat(sums == 0, found.shape[1], axis=1), "a row with a sum above 0")
    is_one = np.isclose(sums, 1, rtol=1e-5, atol=1e-6)
    return found if is_one.all() else np.where(is_one, found, found / sums)


def _rows_of_one(
    frame: pd.DataFrame, is_one: Callable[[NDArray[np.float64]], NDArray[np.bool_]]
) -> NDArray[np.float64]:
    found: NDArray[np.float64] = probabilities(frame)
    if holds(lambda rows: is_one(rows.sum(axis=1)).all(), found):
        return found
    sums = found.sum(axis=1)
    wrong = ~is_one(sums)
    row = int(np.argmax(wrong))
    raise InvalidSubmissionError(
        f"the probabilities of row {row + 1} sum to {sums[row]:.7g}, expected 1"
        f" ({int(wrong.sum())} such rows)"
    )


def labels(frame: pd.DataFrame) -> NDArray[Any]:
    """Any values without gaps."""
    refuse(frame, frame.isna().to_numpy(), "a label")
    return _squeezed(frame.to_numpy())


def some_class_names(frame: pd.DataFrame) -> Any:
    """Texts that are not all gaps; a gap among them is a name that is never right."""
    is_gap = frame.isna().to_numpy()
    refuse(frame, is_gap & is_gap.all(), "a class name")
    return texts_only(frame)


def texts(frame: pd.DataFrame) -> Any:
    """Texts; a gap is the empty text and numbers are turned into text."""
    return _as_texts(frame, gap="")


def printed_texts(frame: pd.DataFrame) -> Any:
    """Any values as Python prints them: numbers are turned into text and a gap is `nan`."""
    return _as_texts(frame, gap="nan")


def texts_only(frame: pd.DataFrame) -> Any:
    """Texts, of which a gap is the empty one; numbers and True/False are refused."""
    refuse(frame, _is_other_than_text(frame), "text")
    return texts(frame)


def texts_without_gaps(frame: pd.DataFrame) -> Any:
    """Texts; gaps, numbers and True/False are refused."""
    refuse(frame, frame.iloc[:, 0].isna().to_numpy() | _is_other_than_text(frame), "text")
    return texts(frame)


def integer_lists(frame: pd.DataFrame) -> Any:
    """Texts that hold whole numbers with white space between, each written in its shortest form."""
    lists = [text.split() for text in python_texts(printed_texts(frame))]
    shortest: dict[str, str] = {}
    for word in {word for words in lists for word in words}:
        try:
            shortest[word] = str(int(word))
        except ValueError:
            is_wrong = np.array([word in words for words in lists])
            refuse(frame, is_wrong, "whole numbers with blanks between")
    return np.array([" ".join(map(shortest.__getitem__, words)) for words in lists], object)


def _as_texts(frame: pd.DataFrame, gap: str) -> Any:
    """The only column as an array of texts."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    column = frame.iloc[:, 0]
    if isinstance(column.dtype, pd.StringDtype):
        if not column.hasnans:
            return column.array
        chunks = in_chunks(column.array).chunks
        return _stored(on_blocks(lambda texts: pc.fill_null(texts, gap), chunks))
    if pd.api.types.is_integer_dtype(column):
        parts = np.array_split(column.to_numpy(), 1 + len(column) // ROWS_AT_ONCE)
        return _stored(on_blocks(lambda part: pa.array(part).cast(pa.large_string()), parts))
    filled = column.astype(object).where(column.notna(), gap)
    if pd.api.types.infer_dtype(filled, skipna=False) != "string":
        filled = filled.map(str)
    return filled.to_numpy(dtype=object)


def _stored(chunks: Iterable[Any]) -> Any:
    """Texts as pandas stores them."""
    import pandas as pd
    import pyarrow as pa

    return pd.arrays.ArrowStringArray(pa.chunked_array(list(chunks), pa.large_string()))


def text_cells(column: pd.Series[Any]) -> list[Any] | None:
    """The cells of a column that pandas reads as text; None for numbers and True/False."""
    from pandas.api.types import is_numeric_dtype

    return None if is_numeric_dtype(column.dtype) else list(column)


def _as_floats(frame: pd.DataFrame, name: str) -> NDArray[Any]:
    column = frame[name]
    cells = text_cells(column)
    if cells is None:
        return _as_numpy(column)
    found = np.empty(len(cells))
    for row, cell in enumerate(cells):
        try:
            found[row] = float(cell)
        except (ValueError, TypeError, OverflowError):
            raise InvalidSubmissionError(_not_numeric(frame, str(name))) from None
    return found


def _is_other_than_text(frame: pd.DataFrame) -> Any:
    """Which cells of the only column are neither text nor gap."""
    import pandas as pd

    column = frame.iloc[:, 0]
    is_text = isinstance(column.dtype, pd.StringDtype)
    if is_text or pd.api.types.infer_dtype(column, skipna=True) == "string":
        return np.zeros(len(column), dtype=bool)
    return np.array([not isinstance(cell, str) for cell in column]) & column.notna().to_numpy()


def _as_numpy(column: pd.Series[Any]) -> NDArray[Any]:
    """Numbers as they are stored; pandas' own kinds as floats, their gaps as NaN."""
    if isinstance(column.dtype, np.dtype):
        return column.to_numpy()
    return column.to_numpy(dtype=float, na_value=np.nan)


def _squeezed(array: NDArray[Any]) -> NDArray[Any]:
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def require(
    frame: pd.DataFrame,
    found: NDArray[Any],
    is_right: Callable[[NDArray[Any]], NDArray[np.bool_]],
    expected: str,
) -> NDArray[Any]:
    """The numbers found, if all are right."""
    if not holds(lambda rows: is_right(rows).all(), found):
        refuse(frame, ~is_right(found), expected)
    return found


def refuse(frame: pd.DataFrame, wrong: NDArray[np.bool_], expected: str) -> None:
    """Name the first cell that is not as expected, and how many there are."""
    if not wrong.any():
        return
    row, column = (int(k[0]) for k in np.nonzero(wrong.reshape(len(frame), -1)))
    cell: object = frame.iloc[row, column]
    found = "nothing" if cell != cell or cell is None else repr(str(cell)[:60])
    raise InvalidSubmissionError(
        f"column {frame.columns[column]!r} has {found} in row {row + 1}, expected {expected}"
        f" ({int(wrong.sum())} such cells)"
    )


def _not_numeric(frame: pd.DataFrame, name: str) -> str:
    import pandas as pd

    column = frame[name]
    if not len(column):
        return f"column {name!r} has no values, expected numbers"
    wrong = pd.to_numeric(column, errors="coerce").isna() & column.notna()
    row = int(np.argmax(wrong.to_numpy())) if wrong.any() else 0
    cell = str(column.iloc[row])[:60]
    return f"column {name!r} has {cell!r} in row {row + 1}, expected a number"
