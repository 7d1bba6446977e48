"""Revision v1.1: answers that look like missing values are texts."""

from functools import partial

from mlebench.competitions.chaii_hindi_and_tamil_question_answering.competition import prepare
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "texts such as NULL and NA are read as missing, in the raw data as in submissions, so"
            " that such an answer cannot be hit",
            "texts are read as they are spelled",
        ),
    ),
    comparability="new",
    flags=("crowded board: 27 % of the teams have the score of one public baseline",),
    prepare=partial(prepare, has_gaps=False),
    texts=("PredictionString",),
    passages={
        "differs, the ids are not exactly the test ids, or the prediction column holds no"
        " text at all (a file of nothing but numbers).": (
            "differs, or the ids are not exactly the test ids."
        ),
        "Cells that read as missing values, such as `NA` or `NULL`, count as empty.": (
            "Words such as `NA` and `NULL` are texts like any other."
        ),
        "ids that are not those of the test table, or a prediction column made of numbers"
        " only. Blank cells (and words such as `NULL` that a CSV reader takes for a gap) are"
        " empty answers.": (
            "or ids that are not those of the test table. Blank cells are empty answers;"
            " words such as `NULL` are texts like any other."
        ),
    },
)
