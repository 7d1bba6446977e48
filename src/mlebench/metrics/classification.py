"""Metrics on class labels, one label per row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.metrics.base import Measured, higher_is_better, lower_is_better, mean_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mlebench.metrics.base import Floats


@higher_is_better
def accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Share of exactly equal labels."""
    # Two columns of text are compared as pandas stores them, without an object for each cell.
    if isinstance(y_true, list) or type(y_true) is not type(y_pred):
        y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    return mean_of(np.asarray(y_true == y_pred))


@lower_is_better
def top_1_error(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Share of labels that are not equal."""
    right = accuracy.measure(y_true, y_pred)
    return right.mapped(1 - right.score, -1)


@higher_is_better
def micro_f1(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """F1 over all rows: a wrong label is one miss and one false alarm, so this is the accuracy."""
    return accuracy.measure(y_true, y_pred)


@higher_is_better
def macro_f1(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean of 2·TP / (2·TP + FP + FN) over every class found in the truth or the prediction."""
    truth, predicted = _places(y_true, y_pred)
    true_count, predicted_count, hits = _counts(truth, predicted)
    both = true_count + predicted_count

    def contributions() -> Floats:
        lost = 2 * hits / both**2
        gained = np.where(truth == predicted, 2 / both[truth], 0.0)
        change: Floats = gained - lost[truth] - lost[predicted]
        return change * len(truth) / len(both)

    return Measured(float(np.mean(2 * hits / both)), contributions)


@higher_is_better
def quadratic_kappa(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Cohen's kappa with quadratic weights of the ranks of labels among all labels that occur."""
    return quadratic_kappa_of_values.measure(*_places(y_true, y_pred))


@higher_is_better
def quadratic_kappa_of_values(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Cohen's kappa with quadratic weights of the values of labels.

    1 − observed / expected disagreement, both of them sums over rows: no matrix of all labels is
    built.
    """
    truth, predicted = (np.asarray(side, dtype=float) for side in (y_true, y_pred))
    rows, squares = len(truth), truth**2 + predicted**2
    observed = rows * float(((truth - predicted) ** 2).sum())
    expected = rows * float(squares.sum()) - 2 * float(truth.sum() * predicted.sum())
    if not expected:
        return Measured(float("nan"))

    def contributions() -> Floats:
        more_observed = observed / rows + rows * (truth - predicted) ** 2
        crossed = truth * predicted.sum() + predicted * truth.sum()
        more_expected = squares.sum() + rows * squares - 2 * crossed
        change: Floats = observed / expected * more_expected - more_observed
        return rows / expected * change

    return Measured(float(1 - observed / expected), contributions)


@higher_is_better
def matthews_correlation(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Correlation of two labellings, for any number of classes; 0 if either side is constant."""
    truth, predicted = _places(y_true, y_pred)
    true_count, predicted_count, hits = _counts(truth, predicted).astype(float)
    rows = float(np.size(y_true))
    covariance = hits.sum() * rows - true_count @ predicted_count
    true_spread = rows**2 - true_count @ true_count
    predicted_spread = rows**2 - predicted_count @ predicted_count
    if not true_spread or not predicted_spread:
        return mean_of(np.zeros(len(truth)))
    spread = np.sqrt(true_spread * predicted_spread)
    score = float(covariance / spread)

    def contributions() -> Floats:
        gained = rows * (truth == predicted) + hits.sum()
        gained -= predicted_count[truth] + true_count[predicted]
        wider = (rows - true_count[truth]) / true_spread
        wider += (rows - predicted_count[predicted]) / predicted_spread
        change: Floats = gained / spread - score * wider
        return rows * change

    return Measured(score, contributions)


def _places(y_true: ArrayLike, y_pred: ArrayLike) -> NDArray[np.int64]:
    """The ranks, from 0, of the labels of both sides among all labels that occur."""
    import pandas as pd

    sides = np.asarray(y_true), np.asarray(y_pred)
    return np.reshape(pd.factorize(np.concatenate(sides), sort=True)[0], (2, -1))


def _counts(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every place: rows with it in the truth, in the prediction and in both."""
    size = int(max(truth.max(initial=-1), predicted.max(initial=-1))) + 1
    sides = truth, predicted, truth[truth == predicted]
    return np.array([np.bincount(side, minlength=size) for side in sides])
