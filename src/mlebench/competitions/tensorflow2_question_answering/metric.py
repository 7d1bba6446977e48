"""Share of questions that are answered rightly, or rightly left without an answer."""

from __future__ import annotations

from typing import Any

from mlebench.metrics import higher_is_better
from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import COLUMN, in_blocks
from mlebench.native import SIZE, kernel

_right_first_words = kernel("right_first_words", SIZE, *COLUMN, *COLUMN)


@higher_is_better
def share_of_right_answers(y_true: Any, y_pred: Any) -> float:
    """An answer is right if it is one of the true ones (words); no answer, if there is none."""
    right = on_blocks(lambda block: int(_right_first_words(*block)), in_blocks(y_true, y_pred))
    return sum(right) / len(y_true)
