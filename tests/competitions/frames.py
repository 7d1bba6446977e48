"""Changes to a table that the submissions of the goldens have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def with_first(frame: pd.DataFrame, column: str, value: Any) -> pd.DataFrame:
    """The same frame with another value in the first row of a column."""
    return frame.assign(**{column: [value, *frame[column][1:]]})


def with_firsts(frame: pd.DataFrame, column: str, **values: Any) -> dict[str, pd.DataFrame]:
    """By name the frame with another value in the first row of a column."""
    return {name: with_first(frame, column, value) for name, value in values.items()}


def with_wrong_rows(
    frame: pd.DataFrame, wrong_id: Any, *, column: str | None = None
) -> dict[str, pd.DataFrame]:
    """Frames without their values or a row, with a row or an id twice, and with a wrong id.

    In a dictionary, later entries of the same names replace them.

    Args:
        column: of the ids; by default the first.
    """
    import pandas as pd

    ids = column or frame.columns[0]
    return {
        "bad_missing_column": frame[[ids]],
        "bad_missing_row": frame.iloc[1:],
        "bad_extra_row": pd.concat([frame, frame.iloc[:1]]),
        "bad_wrong_id": with_first(frame, ids, wrong_id),
        "bad_duplicate_id": with_first(frame, ids, frame[ids].iloc[1]),
    }


def as_files(frames: dict[str, pd.DataFrame]) -> dict[str, str]:
    """The frames as CSV, an empty file, and the header of the first frame alone."""
    header = next(iter(frames.values())).iloc[:0]
    files = {name: frame.to_csv(index=False) for name, frame in frames.items()}
    return files | {"bad_empty": "", "bad_header_only": header.to_csv(index=False)}
