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
)
