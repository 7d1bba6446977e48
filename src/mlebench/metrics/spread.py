"""The standard error of a score: how much it would vary over other test data of the same kind."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import BenchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mlebench.metrics.base import Measured, Metric

JACKKNIFE = "infinitesimal jackknife"
BOOTSTRAP = "bootstrap"
MOST_REPLICATES, FEWEST_REPLICATES = 200, 20
ROWS_IN_ALL = 200_000
"""Of all replicates together, unless that would be too few of them."""


@dataclass(frozen=True)
class StandardError:
    """The standard error, or why there is none."""

    value: float | None
    units: int = 0
    unit: str = "row"
    method: str = JACKKNIFE
    reason: str | None = None

    @property
    def half_width(self) -> float | None:
        """Half of the 95 % interval, by Student's t."""
        return None if self.value is None else student_t(self.units - 1) * self.value


NORMAL = 1.959964
FEW_DEGREES = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582)


def student_t(degrees: int) -> float:
    """The 97.5 % quantile of Student's t distribution, to three decimals."""
    if degrees <= len(FEW_DEGREES):
        return FEW_DEGREES[degrees - 1]
    # Cornish and Fisher's expansion: scipy would take half as long to import as pandas.
    terms = (
        (NORMAL**3 + NORMAL) / 4,
        (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / 96,
        (3 * NORMAL**7 + 19 * NORMAL**5 + 17 * NORMAL**3 - 15 * NORMAL) / 384,
    )
    return NORMAL + sum(term / float(degrees) ** power for power, term in enumerate(terms, 1))


def standard_error(
    metric: Metric, y_true: Any, y_pred: Any, *, measured: Measured, seed: int
) -> StandardError:
    """The standard error of a score that `metric.measure` returned for the same two sides.

    The limit of the bootstrap for many replicates, where the metric knows the contribution of
    each unit; else a bootstrap over rows, whose replicates follow from the seed.
    """
    if measured.contributions is None:
        return _bootstrap(metric, y_true, y_pred, seed)
    values, unit = measured.contributions(), measured.unit
    if len(values) < 2:
        return _unknown(f"the test data has {len(values)} {unit}, so there is nothing to resample")
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return _known(StandardError(error, len(values), unit))


def clustered_error(measured: Measured, codes: NDArray[np.intp], *, unit: str) -> StandardError:
    """The standard error of a score whose rows depend on each other within clusters.

    As if whole clusters were drawn: the contributions of the rows of a cluster count together.

    Args:
        codes: the number of the cluster of each row.
    """
    values = measured.contributions() if measured.contributions else np.empty(0)
    if len(values) != len(codes):
        return _unknown(f"the rows of the score cannot be assigned to a {unit} each")
    sums = np.bincount(codes, weights=values - np.mean(values))
    count = len(sums)
    if count < 2:
        return _unknown(f"the test data has {count} {unit}, so there is nothing to resample")
    error = math.sqrt(count / (count - 1) * float(sums @ sums)) / len(values)
    return _known(StandardError(error, count, unit))


def _bootstrap(metric: Metric, y_true: Any, y_pred: Any, seed: int) -> StandardError:
    sides = [_as_rows(side) for side in (y_true, y_pred)]
    if any(side is None for side in sides) or len(sides[0]) != len(sides[1]):
        return _unknown(f"{metric.name} compares whole tables, whose rows cannot be drawn again")
    rows = len(sides[0])
    if rows < 2:
        return _unknown(f"the test data has {rows} row, so there is nothing to resample")
    replicates = max(FEWEST_REPLICATES, min(MOST_REPLICATES, ROWS_IN_ALL // rows))
    generator = np.random.default_rng(seed)
    scores = []
    try:
        for _ in range(replicates):
            drawn = generator.integers(rows, size=rows)
            scores.append(metric(*(side[drawn] for side in sides)))
    except (BenchError, ArithmeticError, ValueError, TypeError, LookupError) as error:
        # Without its text, which may quote answers.
        kind = type(error).__name__
        return _unknown(f"{metric.name} has no score for rows drawn again ({kind})")
    return _known(StandardError(float(np.std(scores, ddof=1)), rows, method=BOOTSTRAP))


def _as_rows(side: Any) -> Any:
    """What can be indexed by an array of row numbers; None for anything else."""
    from pandas.api.extensions import ExtensionArray

    if isinstance(side, np.ndarray | ExtensionArray):
        return side
    if not isinstance(side, list):
        return None
    rows = np.empty(len(side), dtype=object)
    rows[:] = side
    return rows


def _known(found: StandardError) -> StandardError:
    is_number = found.value is not None and math.isfinite(found.value)
    return found if is_number else _unknown("the contributions of the rows are not finite")


def _unknown(reason: str) -> StandardError:
    return StandardError(None, reason=reason)
