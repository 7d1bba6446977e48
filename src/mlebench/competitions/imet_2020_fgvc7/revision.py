"""Revision v1.1: unknown attributes count as false alarms."""

from mlebench.metrics import word_set_micro_f1
from mlebench.revision import CROWDED_BOARD, EXTERNAL_COPY, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "predicted attributes that no test item has are dropped and cost nothing",
            "every predicted word counts",
        ),
        Fix(
            "a file with a single attribute in every row is refused",
            "attributes are read as texts",
        ),
    ),
    comparability="new",
    metric=word_set_micro_f1,
    texts=("attribute_ids",),
    flags=(
        CROWDED_BOARD,
        "crowded board: 24 % of the teams have the score of one public baseline, which is bronze",
        EXTERNAL_COPY,
    ),
    passages={
        "the ids are not exactly the test ids, or the attribute column holds no text. The last"
        " happens when *every* cell is a single number: at least one cell must hold two or more,"
        " or all must be empty.": ("or the ids are not exactly the test ids."),
        "ids are missing, foreign or doubled, or the second column reads as numbers because all"
        " its cells hold exactly one.": ("or ids are missing, foreign or doubled."),
        "Only attributes that at least one test photograph has exist for the metric: any"
        " other word is dropped and costs nothing.": (
            "Every predicted word counts: one that is no attribute of any test photograph is"
            " a false positive."
        ),
        "Attributes which no picture of the test set has do not enter: predicting them is"
        " neither right nor wrong.": (
            "Every predicted word counts: one that is no attribute of any picture of the test"
            " set is wrong."
        ),
    },
)
