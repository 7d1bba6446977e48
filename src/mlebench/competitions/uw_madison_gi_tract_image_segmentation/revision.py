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
    passages={
        "and `predicted`, **in the order of `test.csv` and with all of its rows**: … against"
        " the wrong slices.": (
            "and `predicted` and all rows of `test.csv`, in any order: rows are matched by"
            " `id` and `class`."
        ),
        "that has **exactly the rows of `test.csv` in their order**. Rows are matched by"
        " position and by nothing else, so do not sort.": (
            "that has exactly the rows of `test.csv`, in any order: rows are matched by `id`"
            " and `class`."
        ),
        "; also when rows of one scan … of different sizes.": (
            "; also when the rows are not those of `test.csv`, each once."
        ),
        "; rows in such an order that a scan falls on pictures of different sizes.": (
            "; rows that are missing, unknown or repeated."
        ),
        "- H is the mean over scans of a distance in three dimensions. For each slice … are"
        " stacked to a volume.": (
            "- H is the mean over scans and organs of a distance in three dimensions. The"
            " masks of an organ on the slices of a scan are stacked to a volume."
        ),
        "- A scan where just one of both is empty has the distance 1, … where both are empty"
        " are left out.": (
            "- An organ of a scan where just one of both is empty has the distance 1, and so"
            " has one where the prediction marks more than ten times as many voxels as the"
            " truth. Where both are empty, the organ is left out."
        ),
        "- A single stray voxel far from the organs determines the distance of a whole scan:": (
            "- A single stray voxel far from an organ determines its distance in a whole scan:"
        ),
        "H averages a distance over the scans. Join the three organs of every slice, stack"
        " the slices of a scan, and take all marked voxels of truth": (
            "H averages a distance over scans and organs. For each organ of a scan, stack its"
            " masks on all slices, and take the marked voxels of truth"
        ),
        "H of the scan is the Hausdorff distance of the sets": (
            "The distance is the Hausdorff distance of the sets"
        ),
        "a scan without any voxel on both sides is skipped.": (
            "an organ without any voxel on both sides is skipped."
        ),
        "- One wrong voxel in a corner spoils the distance of its scan.": (
            "- One wrong voxel in a corner spoils the distance of an organ in its scan."
        ),
    },
)
