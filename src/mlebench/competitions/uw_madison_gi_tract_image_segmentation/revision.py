"""Revision v1.1: rows are matched by slice and organ, and the distance is that of each organ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.competitions.uw_madison_gi_tract_image_segmentation.format import (
    SIZES,
    RowsByPosition,
)
from mlebench.formats import require_columns
from mlebench.formats.matching import match_rows
from mlebench.formats.run_lengths import mask_texts, require_pairs
from mlebench.revision import PAIRED_RUNS, Changes, Fix

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.formats import Aligned

NAMES = ["id", "class"]


class MaskPerOrgan(RowsByPosition):
    """A mask for each slice and organ, in any order; an organ of a day is a volume of its own."""

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[*NAMES, *SIZES]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        rows = self._ordered(submission, keys)
        super().check(_by_organ(rows), _by_organ(keys))
        require_pairs(mask_texts(rows["predicted"]))

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        return super().align(_by_organ(self._ordered(submission, answers)), _by_organ(answers))

    def _ordered(self, submission: pd.DataFrame, keys: pd.DataFrame) -> pd.DataFrame:
        require_columns(submission, [*NAMES, "predicted"])
        return submission.iloc[match_rows(submission, keys[NAMES])].reset_index(drop=True)


def _by_organ(table: pd.DataFrame) -> pd.DataFrame:
    """Names of slices that begin with the organ, so that slices of one organ are stacked."""
    return table.assign(id=table["class"].astype(str) + " " + table["id"].astype(str))


changes = Changes(
    fixes=(
        Fix(
            "rows are paired by position, so that ids, organs and missing rows go unnoticed",
            "each slice and organ once, matched by both",
        ),
        Fix(
            "the Hausdorff distance is taken over all organs of a day together",
            "the distance is taken for each organ of a day",
        ),
        PAIRED_RUNS,
        Fix(
            "the prize money is mistyped: 1,200 instead of 12,000 for the first prize",
            "the correct amount",
        ),
    ),
    comparability="new",
    flags=(
        "Kaggle's text sets the Dice of two empty masks to 0, with which the board's best score"
        " would be impossible; such pairs are left out, as in v1",
    ),
    prize_usd=25_000,
    submission=MaskPerOrgan(),
)
