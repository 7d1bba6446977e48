"""Metric: a pure function of truth and prediction that knows its direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Metric:
    """Called as `metric(y_true, y_pred)`; both sides are aligned arrays or lists, never tables."""

    name: str
    is_lower_better: bool
    function: Callable[[Any, Any], float]

    def __call__(self, y_true: Any, y_pred: Any) -> float:
        return float(self.function(y_true, y_pred))


def higher_is_better(function: Callable[[Any, Any], float]) -> Metric:
    """Make a metric of which more is better; its name is the function's."""
    return Metric(function.__name__, False, function)


def lower_is_better(function: Callable[[Any, Any], float]) -> Metric:
    """Make a metric of which less is better; its name is the function's."""
    return Metric(function.__name__, True, function)
