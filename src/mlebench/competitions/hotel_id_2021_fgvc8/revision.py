"""Revision v1.1: guesses are hotel ids; what to know about the board and the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlebench.competitions.hotel_id_2021_fgvc8.competition import GuessesByPicture
from mlebench.formats.values import integer_lists, printed_texts
from mlebench.revision import NEAR_DUPLICATES, Changes, Fix

if TYPE_CHECKING:
    import pandas as pd


def hotel_ids(frame: pd.DataFrame) -> Any:
    """The texts as v1 compares them; everything but whole numbers is refused."""
    integer_lists(frame)
    return printed_texts(frame)


changes = Changes(
    fixes=(
        Fix(
            "words, infinite and missing values are guesses that match no hotel",
            "a guess is a whole number",
        ),
    ),
    flags=(
        "easy bronze: 0.0216, where the median is 0.0006 and the sample submission is above it",
        NEAR_DUPLICATES,
    ),
    refuses_gaps=True,
    submission=GuessesByPicture(id="image", target="hotel_id", values=hotel_ids),
    passages={
        "Predictions themselves are never refused: an empty cell is a miss, and further"
        " columns are ignored.": (
            "A guess is a whole number: words, decimals and empty cells are refused, and so"
            " are further columns."
        ),
        "A column that a CSV reader turns into decimals … or leave no gap.": "",
        "Everything else is accepted, an empty cell simply being wrong.": (
            "A guess is a whole number: words, decimals and empty cells are refused."
        ),
        "Ids are compared as text: a column of single ids … in every row.": (
            "Ids are compared as text."
        ),
    },
)
