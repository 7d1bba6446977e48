"""Revision v1.1: rows that do not sum to one are rescaled, as on Kaggle."""

from dataclasses import replace

from mlebench.competitions.leaf_classification.prepare import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import EXTERNAL_COPY, RESCALED_ROWS, Changes, Noisy, shown_in_train

changes = Changes(
    fixes=(RESCALED_ROWS,),
    submission=replace(rows, values=rescaled_probability_rows),
    flags=(
        "all or nothing: gold is a log loss of 0.0, which needs perfect certainty",
        EXTERNAL_COPY,
    ),
    noisy=Noisy(99, "test rows", shown_in_train("species")),
)
