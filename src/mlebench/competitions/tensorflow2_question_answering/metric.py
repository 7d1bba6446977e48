"""Share of questions that are answered rightly, or rightly left without an answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics import higher_is_better
from mlebench.metrics.words import split_words


@higher_is_better
def share_of_right_answers(y_true: Any, y_pred: Any) -> float:
    """An answer is right if it is one of the true ones (words); no answer, if there is none."""
    true, predicted = split_words(y_true), split_words(y_pred)
    has_answer = predicted.counts > 0
    rows = true.rows[has_answer[true.rows]]
    is_right = true.counts == 0
    is_right[has_answer] = False
    hits = true.keys[has_answer[true.rows]] == predicted.keys[predicted.starts[rows]]
    is_right[rows[hits]] = True
    return float(np.mean(is_right))
