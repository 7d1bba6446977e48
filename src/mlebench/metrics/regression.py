"""Metrics on numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.metrics.base import Measured, Metric, higher_is_better, lower_is_better, mean_of
from mlebench.metrics.means import mean_of_rows

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from mlebench.metrics.base import Floats

EARTH_RADIUS_METRES = 6_371_000.0


@lower_is_better
def root_mean_squared_error(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Root of the mean squared difference."""
    truth, predicted = np.ravel(y_true), np.ravel(y_pred)
    squares = mean_of_rows(lambda k: _difference(truth[k], predicted[k]) ** 2, len(truth))
    score = float(np.sqrt(squares.score))
    return squares.mapped(score, 0.5 / score if score else 0.0)


@lower_is_better
def mean_absolute_error(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean of the absolute differences."""
    truth, predicted = np.ravel(y_true), np.ravel(y_pred)
    return mean_of_rows(lambda k: np.abs(_difference(truth[k], predicted[k])), len(truth))


@lower_is_better
def mean_column_root_mean_squared_error(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean over columns of the root mean squared error (MCRMSE)."""
    squares = _difference(y_true, y_pred) ** 2
    roots = np.sqrt(np.mean(squares, axis=0))

    def contributions() -> Floats:
        slopes = np.divide(0.5, roots, out=np.zeros_like(roots), where=roots > 0)
        return np.asarray(np.mean(squares * slopes, axis=1))

    return Measured(float(np.mean(roots)), contributions)


@lower_is_better
def mean_column_root_mean_squared_log_error(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """The same for ln(1 + value)."""
    logarithms = (np.log1p(np.asarray(side, dtype=float)) for side in (y_true, y_pred))
    return mean_column_root_mean_squared_error.measure(*logarithms)


def log_mean_absolute_error_by_group(floor: float, *, of_each: bool = False) -> Metric:
    """Mean over groups of ln(mean absolute error), at least ln(floor): one exact group reaches it.

    The truth has two columns: the value and the number of its group, from 0 without a gap.

    Args:
        of_each: whether the floor is that of each group instead of the mean.
    """

    @lower_is_better
    def log_mean_absolute_error(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
        truth, numbers = np.asarray(y_true, dtype=float).T
        errors, groups = np.abs(_difference(truth, y_pred)), numbers.astype(int)
        counts = np.bincount(groups)
        means = np.bincount(groups, errors) / counts
        with np.errstate(divide="ignore"):
            logarithms = np.log(np.maximum(means, floor) if of_each else means)
        score = float(max(np.mean(logarithms), np.log(floor)))

        def contributions() -> Floats:
            sums = (means * counts)[groups]
            is_counted = (means > floor)[groups] if of_each else sums > 0
            share = np.divide(
                errors - means[groups], sums, out=np.zeros(len(sums)), where=is_counted
            )
            return np.asarray(share * len(errors) / len(means))

        return Measured(score, contributions)

    return log_mean_absolute_error


def laplace_log_likelihood(*, max_error: float, min_deviation: float) -> Metric:
    """Mean of −√2·d/s − ln(√2·s), d the error up to a limit, s the deviation from a limit on.

    The prediction has two columns: the value and its standard deviation.
    """

    @higher_is_better
    def modified_laplace_log_likelihood(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
        predicted = np.asarray(y_pred, dtype=float)
        deviation = np.maximum(predicted[:, 1], min_deviation)
        error = np.minimum(np.abs(_difference(y_true, predicted[:, 0])), max_error)
        root = np.sqrt(2.0)
        return mean_of(-root * error / deviation - np.log(root * deviation))

    return modified_laplace_log_likelihood


@lower_is_better
def mean_angular_error(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean angle in radians between directions given by azimuth and zenith."""
    truth, predicted = np.asarray(y_true, dtype=float), np.asarray(y_pred, dtype=float)
    return mean_of_rows(lambda rows: _angles(truth[rows], predicted[rows]), len(truth))


def _angles(one: Floats, other: Floats) -> Floats:
    (azimuth, zenith), (other_azimuth, other_zenith) = one.T, other.T
    across = np.cos(azimuth) * np.cos(other_azimuth) + np.sin(azimuth) * np.sin(other_azimuth)
    cosine = np.sin(zenith) * np.sin(other_zenith) * across + np.cos(zenith) * np.cos(other_zenith)
    return np.asarray(np.arccos(np.clip(cosine, -1, 1)))


def haversine_metres(one: Floats, other: Floats) -> Floats:
    """Great-circle distances between rows of latitude and longitude in degrees."""
    latitude, longitude = np.radians(one).T
    other_latitude, other_longitude = np.radians(other).T
    square = (
        np.sin((other_latitude - latitude) / 2) ** 2
        + np.cos(latitude) * np.cos(other_latitude) * np.sin((other_longitude - longitude) / 2) ** 2
    )
    return np.asarray(2 * EARTH_RADIUS_METRES * np.arcsin(np.sqrt(square)))


@lower_is_better
def mean_distance_percentiles(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean over groups of the mean of the 50 % and the 95 % quantile of the distances in metres.

    The truth has three columns: latitude, longitude and the number of the group.
    """
    truth, predicted = np.asarray(y_true, dtype=float), np.asarray(y_pred, dtype=float)
    distances = haversine_metres(truth[:, :2], predicted)
    quantiles = group_quantiles(distances, truth[:, 2], (0.5, 0.95))
    return mean_of(quantiles.mean(axis=1), score=float(np.mean(quantiles)), unit="group")


@higher_is_better
def pearson_correlation(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Linear correlation; NaN if a side is constant."""
    truth, predicted = np.asarray(y_true, dtype=float), np.asarray(y_pred, dtype=float)
    score = _correlation(truth, predicted)

    def contributions() -> Floats:
        return _correlation_changes(_standardized(truth), _standardized(predicted), score)

    return Measured(score, contributions)


@higher_is_better
def mean_column_spearman(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean over columns of the correlation of ranks (ties share theirs); nan if one is constant."""
    import pandas as pd

    ranks = (pd.DataFrame(np.asarray(side, dtype=float)).rank() for side in (y_true, y_pred))
    truth, predicted = (side.to_numpy().T for side in ranks)
    scores = [_correlation(*pair) for pair in zip(truth, predicted, strict=True)]

    def contributions() -> Floats:
        columns = zip(truth, predicted, scores, strict=True)
        return np.asarray(np.mean([_rank_correlation_changes(*own) for own in columns], axis=0))

    return Measured(float(np.mean(scores)), contributions)


def _standardized(values: Floats) -> Floats:
    scaled = values / np.abs(values).max()
    return np.asarray((scaled - scaled.mean()) / scaled.std())


def _correlation_changes(one: Floats, other: Floats, score: float) -> Floats:
    """How a correlation of standardized sides changes with the weight of each row."""
    return one * other - score / 2 * (one**2 + other**2)


def _rank_correlation_changes(ranks: Floats, other_ranks: Floats, score: float) -> Floats:
    """The same for ranks, which also change with the weights."""
    one, other = _standardized(ranks), _standardized(other_ranks)
    changes = _correlation_changes(one, other, score)
    for own, values, others in ((ranks, one, other), (other_ranks, other, one)):
        # A row raises the ranks of all rows above it by 1, and those of its ties by one half.
        order = np.argsort(own)
        slopes = ((others - score * values) / own.std())[order]
        above = np.append(np.cumsum(slopes[::-1])[::-1], 0.0)
        places = (np.searchsorted(own[order], own, side) for side in ("left", "right"))
        changes += sum(above[place] for place in places) / 2
    return changes


def group_quantiles(values: Floats, groups: ArrayLike, shares: tuple[float, ...]) -> Floats:
    """A row per group, in ascending order, and a column per quantile, interpolated."""
    import pandas as pd

    by_group = pd.Series(values).groupby(np.asarray(groups))
    return by_group.quantile(np.array(shares)).unstack().to_numpy()


def _difference(y_true: ArrayLike, y_pred: ArrayLike) -> Floats:
    return np.asarray(np.asarray(y_pred, dtype=float) - np.asarray(y_true, dtype=float))


def _correlation(one: Floats, other: Floats) -> float:
    if (one == one[0]).all() or (other == other[0]).all():
        return float("nan")
    # Scaled first, so that squares of large values do not overflow.
    scaled = [side / np.abs(side).max() for side in (one, other)]
    one, other = (side - side.mean() for side in scaled)
    # Plain sums: a dot product would start threads, which cost more time than they save.
    spread = np.sqrt((one * one).sum()) * np.sqrt((other * other).sum())
    return float(np.clip((one * other).sum() / spread, -1, 1))
