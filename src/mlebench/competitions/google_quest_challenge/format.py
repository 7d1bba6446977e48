"""Ratings that may be texts: the published grader ranks whatever can be sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.formats.values import numbers_without_gaps, refuse, text_cells

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def places_in_alphabet(frame: pd.DataFrame, _: object = None) -> NDArray[np.float64]:
    """Numbers as they are; a column of texts becomes the places of its cells in the alphabet."""
    places = {}
    for name, column in frame.items():
        if text_cells(column) is not None:
            refuse(column.to_frame(), column.isna().to_numpy(), "a number")
            cells = column.astype(str).to_numpy(dtype=object)
            places[str(name)] = np.unique(cells, return_inverse=True)[1]
    return numbers_without_gaps(frame.assign(**places))
