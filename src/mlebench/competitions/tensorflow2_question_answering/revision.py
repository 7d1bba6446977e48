"""Revision v1.1: F1 of the answers, as on Kaggle; a row rightly left blank does not count."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from mlebench.competitions.tensorflow2_question_answering.prepare import prepare
from mlebench.metrics import Measured, higher_is_better, ratio_of
from mlebench.metrics.words import python_texts
from mlebench.revision import Changes, Fix

if TYPE_CHECKING:
    from mlebench.metrics.words import Texts


@higher_is_better
def answer_f1(y_true: Texts, y_pred: Texts) -> Measured:
    """2·TP / (2·TP + FP + FN) over all rows.

    A given answer is a TP if it is one of the true ones (words), else an FP; a blank row with a
    true answer is an FN, one without does not count.
    """
    counts = []
    for truth, guess in zip(python_texts(y_true), python_texts(y_pred), strict=True):
        answers, words = truth.split(), guess.split(maxsplit=1)
        is_hit = bool(words) and words[0] in answers
        counts.append((2 * is_hit, is_hit + bool(words or answers)))
    parts, wholes = np.array(counts).T
    return ratio_of(parts, wholes, float(parts.sum() / wholes.sum()) if parts.any() else 0.0)


changes = Changes(
    fixes=(
        Fix(
            "rows that are rightly left blank count as hits: a file without any answer scores 0.57",
            "F1 of the given answers, to which true negatives contribute nothing",
        ),
        Fix(
            "of a thousand examples, those of the test are in the order of the split",
            "they are in the order of their ids",
        ),
    ),
    comparability="new",
    prepare=partial(prepare, is_sorted=True),
    metric=answer_f1,
    passages={
        "## Metric …": (
            "## Metric\n"
            "\n"
            "F1 of the given answers over all rows, long and short together, to be maximised:\n"
            "\n"
            "    F1 = 2·TP / (2·TP + FP + FN)\n"
            "\n"
            "- A row with an answer is a true positive if it equals a true answer exactly: in"
            " a long row the annotated long answer, in a short row any of the annotated short"
            " answers, or the annotated `YES` or `NO`. Otherwise it is a false positive.\n"
            "- An empty row is a false negative if there is a true answer. If there is none,"
            " the row does not count.\n"
            "\n"
            "Nearly right spans count nothing. Leaving everything empty scores 0."
        ),
        "- Answer only if the chance of being exactly right exceeds the chance that there is"
        " no answer: the threshold": (
            "- A wrong answer where there is a true one costs as much as none, and where"
            " there is none it costs a false positive: the threshold"
        ),
    },
)
