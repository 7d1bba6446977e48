"""Clusters: rows of the answers that depend on each other, such as the pixels of one page.

The score of such rows varies more over other test data than that of as many independent rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Clusters:
    """A column of the answers whose values, or what a function makes of them, name the clusters."""

    unit: str
    """What a cluster is: page, breath, patient."""

    column: str
    key: Callable[[pd.Series], Any] | None = None

    def codes(self, answers: pd.DataFrame) -> NDArray[np.intp]:
        """The number of the cluster of each row of the answers; rows without a name are one."""
        import pandas as pd

        codes: NDArray[np.intp] = pd.factorize(self.names(answers), use_na_sentinel=False)[0]
        return codes

    def names(self, table: pd.DataFrame) -> Any:
        """The name of the cluster of each row."""
        values = table[self.column]
        return values if self.key is None else self.key(values)


def before_first(mark: str) -> Callable[[pd.Series], Any]:
    """The part of a text before the first mark: `14_1_1` is of page 14."""
    return lambda names: _parts(names, f"^([^{mark}]*){mark}.*$")


def before_last(mark: str) -> Callable[[pd.Series], Any]:
    """The part of a text before the last mark: `id_b033_12` is of molecule `id_b033`."""
    return lambda names: _parts(names, f"^(.*){mark}[^{mark}]*$")


def _parts(names: pd.Series, pattern: str) -> Any:
    import pyarrow as pa
    from pyarrow import compute

    texts = pa.array(names.astype(str), type=pa.large_string())
    return compute.replace_substring_regex(texts, pattern, r"\1").to_pandas()
