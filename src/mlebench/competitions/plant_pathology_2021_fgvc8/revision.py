"""Revision v1.1: the mean F1 by picture that made the board; unknown words count."""

from mlebench.metrics import word_set_mean_f1
from mlebench.revision import EASIER_TEST, NEAR_DUPLICATES, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "micro F1 over all labels, where the board was made with the mean F1 by picture",
            "mean over pictures of the F1 of their labels",
        ),
        Fix("predicted words that no picture has cost nothing", "every predicted word counts"),
    ),
    comparability="new",
    metric=word_set_mean_f1,
    flags=(EASIER_TEST, NEAR_DUPLICATES),
)
