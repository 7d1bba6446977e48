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
)
