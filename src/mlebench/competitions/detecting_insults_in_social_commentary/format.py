"""Rows named by the text of a comment, which may occur several times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.formats import RowPerSortedKey, match_ids

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.formats.matching import Order


class RowPerComment(RowPerSortedKey):
    """The text is the key; where it repeats, the order of an unstable sort decides the pairs."""

    def _order(self, submission: pd.DataFrame, keys: pd.DataFrame) -> Order:
        match_ids(submission[self.id], keys[self.id])
        return super()._order(submission, keys)
