"""The kernels in C, and how libraries do the same: what `kernels.py` compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from library_volumes import from_trees, searched


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


KERNELS = [
    Kernel(
        "hausdorff_distance",
        "uw-madison-gi-tract-image-segmentation",
        native=searched,
        library=from_trees,
        prepare=lambda inputs: (inputs.truth[1], inputs.prediction[1]),
    ),
]
