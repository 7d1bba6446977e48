"""A name for pandas tables that does not import pandas, which costs a third of a second."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

Frame: TypeAlias = Any
"""A `pandas.DataFrame`."""

KEPT_HEADERS = 16


@lru_cache(maxsize=KEPT_HEADERS)
def column_index(names: tuple[str, ...]) -> Any:
    """Names as pandas keeps them, ready to be looked up: in small tables that takes the longest."""
    import pandas as pd

    index = pd.Index(names)
    index.get_loc(names[0])
    return index
