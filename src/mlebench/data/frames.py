"""A name for pandas tables that does not import pandas, which costs a third of a second."""

from typing import Any, TypeAlias

Frame: TypeAlias = Any
"""A `pandas.DataFrame`."""
