"""Share of questions that are answered rightly, or rightly left without an answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics import higher_is_better
from mlebench.metrics.words import as_arrow, split_words


@higher_is_better
def share_of_right_answers(y_true: Any, y_pred: Any) -> float:
    """An answer is right if it is one of the true ones (words); no answer, if there is none."""
    import pyarrow.compute as pc

    true, predicted = split_words(y_true), as_arrow(y_pred)
    rows = true.rows
    hits = pc.equal(true.flat, predicted.take(rows)).to_numpy(zero_copy_only=False)
    is_right = np.zeros(len(predicted), dtype=bool)
    is_right[rows[hits]] = True
    is_blank = pc.equal(predicted, "").to_numpy(zero_copy_only=False)
    return float(np.mean(np.where(is_blank, true.counts == 0, is_right)))
