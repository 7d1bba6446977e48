"""The kernels in C, and how libraries do the same: what `kernels.py` compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mlebench.metrics import mean_levenshtein_distance


@dataclass(frozen=True)
class Inputs:
    """What is known in a grading."""

    submission: pd.DataFrame
    answers: Any
    truth: Any
    prediction: Any
    """As the format pairs them for the metric."""

    bytes: int
    """Of the submission."""


@dataclass(frozen=True)
class Kernel:
    """A kernel in a competition that uses it, and what does the same without it."""

    name: str
    competition: str
    native: Callable[[Any], Any]
    library: Callable[[Any], Any]
    prepare: Callable[[Inputs], Any] | None = None
    """Makes of the inputs what both ways take; is not measured."""

    is_shuffled: bool = False
    """Whether the rows of the submission are in another order than the answers."""


def mean_distance(x: Inputs) -> float:
    """Levenshtein's distance of each row, by rapidfuzz."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    distances = cpdist(list(x.truth), list(x.prediction), scorer=Levenshtein.distance)
    return float(distances.sum(dtype=int) / len(x.truth))


def metric(function: Callable[[Any, Any], float]) -> Callable[[Inputs], float]:
    return lambda x: function(x.truth, x.prediction)


KERNELS = [
    Kernel(
        "edits",
        "bms-molecular-translation",
        native=metric(mean_levenshtein_distance),
        library=mean_distance,
    ),
]
