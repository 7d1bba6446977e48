"""Metric: a pure function of truth and prediction that knows its direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """A score, and how it depends on which units of the test data were drawn.

    A unit is a row, or what the metric averages over (a page, a volume, a phone).
    """

    score: float
    contributions: Callable[[], Floats] | None = None
    """One number per unit. Up to a constant, their mean over other units changes as the score
    does, to first order: the values of the infinitesimal jackknife."""

    unit: str = "row"

    def mapped(self, score: float, slope: float) -> Measured:
        """A smooth function of this score, by its value and its derivative."""
        own = self.contributions
        return Measured(score, None if own is None else lambda: slope * own(), unit=self.unit)


def mean_of(values: NDArray[Any], *, score: float | None = None, unit: str = "row") -> Measured:
    """The mean of one value per unit.

    Args:
        score: the mean, where it must be computed in another way to be exact.
    """
    mean = float(np.mean(values)) if score is None else score
    return Measured(mean, lambda: np.asarray(values, dtype=float), unit=unit)


def ratio_of(parts: NDArray[Any], wholes: NDArray[Any], score: float) -> Measured:
    """The sum of one value per row, divided by the sum of another one."""

    def contributions() -> Floats:
        mean = float(np.mean(wholes)) or 1.0
        return np.asarray((parts - score * wholes) / mean, dtype=float)

    return Measured(score, contributions)


@dataclass(frozen=True)
class Metric:
    """Called as `metric(y_true, y_pred)`; both sides are aligned arrays or lists, never tables."""

    name: str
    is_lower_better: bool
    function: Callable[[Any, Any], float | Measured]

    def __call__(self, y_true: Any, y_pred: Any) -> float:
        return self.measure(y_true, y_pred).score

    def measure(self, y_true: Any, y_pred: Any) -> Measured:
        """The score and, if the metric knows it, how it depends on the units."""
        found = self.function(y_true, y_pred)
        return found if isinstance(found, Measured) else Measured(float(found))


def higher_is_better(function: Callable[[Any, Any], float | Measured]) -> Metric:
    """Make a metric, named like the function, whose higher scores are better."""
    return Metric(function.__name__, False, function)


def lower_is_better(function: Callable[[Any, Any], float | Measured]) -> Metric:
    """Make a metric, named like the function, whose lower scores are better."""
    return Metric(function.__name__, True, function)
