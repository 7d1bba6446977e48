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
    passages={
        "Words that are no label are not refused but ignored: a list with commas"
        " (`scab,rust`) is one such word and counts as an empty prediction.": (
            "Words that are no label are not refused but count as wrong labels: a list with"
            " commas (`scab,rust`) is one such word."
        ),
        "Unknown words are skipped, and since `scab,rust` is one word, commas lose the whole"
        " prediction.": (
            "Unknown words count as wrong labels, and `scab,rust` with its comma is one such word."
        ),
        "## Metric …": (
            "## Metric\n"
            "\n"
            "Mean over pictures of the F1 of their labels, to be maximised. With T the set of"
            " true labels of a picture and P the set of predicted words,\n"
            "\n"
            "    F1 = 2 · |T ∩ P| / (|T| + |P|)\n"
            "\n"
            "and the score is the mean over all pictures. Every predicted word counts, also"
            " one that is no label; repeats in a cell count once. An empty prediction scores"
            " 0 for its picture. `healthy` for everything scores about 0.25."
        ),
        "- The measure pools all decisions, it is not a mean over photographs: a photograph"
        " with three labels weighs more.": (
            "- All photographs weigh the same, however many labels they have."
        ),
    },
)
