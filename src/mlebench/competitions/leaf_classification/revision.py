"""Revision v1.1: what to know about the board and the data."""

from dataclasses import replace

from mlebench.competitions.leaf_classification.prepare import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import Changes, Fix, Noisy

changes = Changes(
    fixes=(
        Fix(
            "rows of probabilities that do not sum to 1 are refused, which Kaggle rescaled",
            "such rows are divided by their sum",
        ),
    ),
    submission=replace(rows, values=rescaled_probability_rows),
    flags=(
        "all or nothing: gold is a log loss of 0.0, which needs perfect certainty",
        "external copy: the source is public, so that pretrained models may have seen test items",
    ),
    noisy=Noisy(
        99,
        "test rows",
        "a run has one train part, in which the species of the other folds would be",
    ),
)
