"""Changes to a table that several submissions of the goldens need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def with_first(frame: pd.DataFrame, column: str, value: Any) -> pd.DataFrame:
    """The same frame with another value in the first row of a column."""
    return frame.assign(**{column: [value, *frame[column][1:]]})
