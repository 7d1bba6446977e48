"""Standard errors of scores: textbook formulas, a plain bootstrap, coverage in a simulation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mlebench import metrics
from mlebench.competitions.kuzushiji_recognition.metric import character_f1
from mlebench.competitions.siim_covid19_detection.metric import mean_average_precision
from mlebench.competitions.tensorflow2_question_answering.metric import share_of_right_answers
from mlebench.competitions.tensorflow2_question_answering.revision import answer_f1
from mlebench.competitions.vinbigdata_chest_xray_abnormalities_detection.metric import (
    coco_mean_average_precision,
)
from mlebench.metrics import Metric, higher_is_better
from mlebench.metrics.boxes import Boxes
from mlebench.metrics.masks import (
    PredictedMasks,
    TrueMasks,
    global_dice,
    iou_precision,
    mean_dice,
    mean_f_beta,
)
from mlebench.metrics.spread import BOOTSTRAP, StandardError, standard_error

ROWS = 400
REPLICATES = 400


def error_of(metric: Metric, truth: Any, prediction: Any, seed: int = 0) -> StandardError:
    measured = metric.measure(truth, prediction)
    return standard_error(metric, truth, prediction, measured=measured, seed=seed)


def numbers(random: np.random.Generator) -> tuple[Any, Any]:
    truth = random.gamma(3, size=ROWS)
    return truth, truth + random.normal(size=ROWS) * truth / 2


def columns(random: np.random.Generator) -> tuple[Any, Any]:
    truth = random.gamma(3, size=(ROWS, 3))
    return truth, np.abs(truth + random.normal(size=(ROWS, 3)))


def grades(random: np.random.Generator) -> tuple[Any, Any]:
    truth = random.integers(5, size=ROWS)
    return truth, np.clip(truth + random.integers(-1, 2, size=ROWS), 0, 4)


def labels(random: np.random.Generator) -> tuple[Any, Any]:
    truth = (random.random(ROWS) < 0.3).astype(int)
    return truth, random.normal(size=ROWS) + truth


def decisions(random: np.random.Generator) -> tuple[Any, Any]:
    """Predictions of 0 and 1, so that all rows are ties."""
    truth, scores = labels(random)
    return truth, (scores > np.median(scores)).astype(float)


def rounded(random: np.random.Generator) -> tuple[Any, Any]:
    truth, scores = labels(random)
    return truth, np.round(scores)


def probabilities(random: np.random.Generator) -> tuple[Any, Any]:
    truth, scores = labels(random)
    return truth, 1 / (1 + np.exp(-2 * scores))


def label_columns(random: np.random.Generator) -> tuple[Any, Any]:
    truth = (random.random((ROWS, 3)) < [0.2, 0.5, 0.7]).astype(int)
    return truth, random.normal(size=(ROWS, 3)) + truth


def classes(random: np.random.Generator) -> tuple[Any, Any]:
    truth = np.eye(4)[random.integers(4, size=ROWS)]
    shares = random.gamma(1, size=(ROWS, 4)) + truth
    return truth, shares / shares.sum(axis=1, keepdims=True)


def people(random: np.random.Generator) -> tuple[Any, Any]:
    label = random.random(ROWS) < 0.4
    groups = random.random((ROWS, 2)) < 0.5
    return np.column_stack([label, groups]).astype(float), random.normal(size=ROWS) / 3 + label


def in_groups(random: np.random.Generator) -> tuple[Any, Any]:
    truth, predicted = numbers(random)
    return np.column_stack([truth, np.arange(ROWS) % 4]), predicted


def forecasts(random: np.random.Generator) -> tuple[Any, Any]:
    truth, predicted = (100 * side for side in numbers(random))
    return truth, np.column_stack([predicted, random.uniform(50, 300, ROWS)])


def directions(random: np.random.Generator) -> tuple[Any, Any]:
    return tuple(random.uniform(0, 3, (ROWS, 2)) for _ in range(2))  # type: ignore[return-value]


def words(random: np.random.Generator) -> tuple[Any, Any]:
    """Lists of one to four words, of which the guesses repeat some."""
    lists = [random.permutation(list("abcdefgh"))[: 1 + random.integers(4)] for _ in range(ROWS)]
    guesses = [np.append(own[: random.integers(5)], random.choice(list("abxy"))) for own in lists]
    return [" ".join(own) for own in lists], [" ".join(own) for own in guesses]


def orders(random: np.random.Generator) -> tuple[Any, Any]:
    lengths = random.integers(2, 9, size=ROWS)
    truth = [" ".join(map(str, range(length))) for length in lengths]
    return truth, [" ".join(map(str, random.permutation(int(length)))) for length in lengths]


def answers(random: np.random.Generator) -> tuple[Any, Any]:
    truth = random.choice(["", "1:2", "1:2 3:4"], size=ROWS).tolist()
    return truth, random.choice(["", "1:2", "3:4"], size=ROWS).tolist()


def masks(random: np.random.Generator) -> tuple[Any, Any]:
    true, predicted = random.poisson(20, size=(2, ROWS)) * (random.random((2, ROWS)) < 0.8)
    hits = (np.minimum(true, predicted) * random.random(ROWS)).astype(int)
    return TrueMasks(true, np.full(ROWS, 100)), PredictedMasks(predicted, hits)


def boxes(random: np.random.Generator) -> tuple[Any, Any]:
    """Zero to three true boxes of two classes a row, some found, and false alarms."""
    true_rows = np.repeat(np.arange(ROWS), random.integers(0, 4, size=ROWS))
    count = len(true_rows)
    corners = np.column_stack([np.arange(count) * 20.0] * 2)
    places = np.hstack([corners, corners + 10])
    kinds = random.integers(2, size=count)
    found = np.flatnonzero(random.random(count) < 0.7)
    alarms = random.integers(ROWS, size=ROWS)
    rows = np.concatenate([true_rows[found], alarms])
    scores = np.concatenate([random.beta(3, 2, len(found)), random.beta(2, 3, len(alarms))])
    predicted = np.vstack([places[found] + 0.1, np.tile([-50.0, -50, -40, -40], (len(alarms), 1))])
    guessed = np.concatenate([kinds[found], random.integers(2, size=len(alarms))])
    true = Boxes(true_rows, kinds, np.column_stack([np.ones(count), places]), ROWS)
    return true, Boxes(rows, guessed, np.column_stack([scores, predicted]), ROWS)


def points(random: np.random.Generator) -> tuple[Any, Any]:
    true, predicted = boxes(random)
    sizes = true.places[:, 2:] - true.places[:, :2]
    pages = Boxes(true.rows, true.labels, np.hstack([true.places[:, :2], sizes]), ROWS)
    return pages, Boxes(predicted.rows, predicted.labels, predicted.places[:, :2] + 1, ROWS)


CASES: list[tuple[Metric, Callable[[np.random.Generator], tuple[Any, Any]]]] = [
    *((metric, grades) for metric in (metrics.accuracy, metrics.top_1_error, metrics.micro_f1)),
    *((metric, grades) for metric in (metrics.macro_f1, metrics.matthews_correlation)),
    *((metric, grades) for metric in (metrics.quadratic_kappa, metrics.quadratic_kappa_of_values)),
    *((metrics.roc_auc, data) for data in (labels, rounded)),
    (metrics.mean_column_roc_auc, label_columns),
    (metrics.weighted_roc_auc(cuts=[0.4], weights=[2, 1]), labels),
    (metrics.weighted_roc_auc(cuts=[0.2, 0.5], weights=[4, 2, 1]), labels),
    (metrics.weighted_roc_auc(cuts=[0.4], weights=[2, 1]), decisions),
    (metrics.weighted_roc_auc(cuts=[0.2, 0.5], weights=[4, 2, 1]), rounded),
    *((metric, people) for metric in (metrics.bias_roc_auc, metrics.bias_ranking_auc)),
    *(
        (metric, numbers)
        for metric in (metrics.root_mean_squared_error, metrics.mean_absolute_error)
    ),
    (metrics.pearson_correlation, numbers),
    (metrics.mean_column_root_mean_squared_error, columns),
    (metrics.mean_column_root_mean_squared_log_error, columns),
    (metrics.mean_column_spearman, columns),
    (metrics.mean_column_spearman, lambda random: tuple(np.round(x) for x in columns(random))),
    (metrics.log_mean_absolute_error_by_group(1e-9), in_groups),
    (metrics.log_mean_absolute_error_by_group(1e-9, of_each=True), in_groups),
    (metrics.laplace_log_likelihood(max_error=1000, min_deviation=70), forecasts),
    (metrics.mean_angular_error, directions),
    (metrics.binary_log_loss, probabilities),
    (metrics.probabilistic_f1, probabilities),
    (metrics.multi_class_log_loss, classes),
    (metrics.kullback_leibler_divergence, classes),
    (metrics.label_weighted_ranking_average_precision, label_columns),
    *((metric, words) for metric in (metrics.label_set_micro_f1, metrics.word_set_micro_f1)),
    *((metric, words) for metric in (metrics.word_set_mean_f1, metrics.list_error_rate)),
    *((metric, words) for metric in (metrics.word_jaccard, metrics.lenient_word_jaccard)),
    *((metric, words) for metric in (metrics.text_accuracy, metrics.mean_levenshtein_distance)),
    (metrics.mean_average_precision_at(3), words),
    (metrics.kendall_tau, orders),
    *((metric, answers) for metric in (share_of_right_answers, answer_f1)),
    *((metric, masks) for metric in (mean_dice, global_dice, mean_f_beta(0.5))),
    (iou_precision([0.3, 0.5]), masks),
    (iou_precision([0.3, 0.5], empty_means_full=True), masks),
    (metrics.voc_mean_average_precision(0.5), boxes),
    (mean_average_precision(0.5), boxes),
    (coco_mean_average_precision(0.4), boxes),
    (character_f1, points),
]


def drawn(side: Any, rows: np.ndarray) -> Any:
    """Rows of either side, some of them several times."""
    if isinstance(side, TrueMasks | PredictedMasks):
        return type(side)(*(values[rows] for values in vars(side).values()))
    if isinstance(side, Boxes):
        own = [np.flatnonzero(side.rows == row) for row in rows]
        taken = np.concatenate(own)
        numbered = np.repeat(np.arange(len(rows)), [len(part) for part in own])
        return Boxes(numbered, side.labels[taken], side.numbers[taken], len(rows))
    return [side[row] for row in rows] if isinstance(side, list) else side[rows]


@pytest.mark.parametrize(
    ("metric", "data"), CASES, ids=[f"{metric.name}-{n}" for n, (metric, _) in enumerate(CASES)]
)
def test_a_plain_bootstrap_agrees(metric: Metric, data: Callable[..., tuple[Any, Any]]) -> None:
    random = np.random.default_rng(1)
    truth, prediction = data(random)
    found = error_of(metric, truth, prediction)
    scores = []
    for _ in range(REPLICATES):
        rows = random.integers(ROWS, size=ROWS)
        scores.append(metric(drawn(truth, rows), drawn(prediction, rows)))
    # A standard error from 400 replicates is itself uncertain by 3.5 %.
    assert found.value == pytest.approx(np.std(scores, ddof=1), rel=0.14)
    assert found.units == ROWS


def test_groups_are_the_units_of_distances() -> None:
    random = np.random.default_rng(2)
    groups = np.repeat(np.arange(30), 40)
    places = random.uniform(40, 41, (1200, 2))
    guesses = places + random.normal(size=(1200, 2)) * 1e-4 * (1 + groups[:, None] % 5)
    truth = np.column_stack([places, groups])
    found = error_of(metrics.mean_distance_percentiles, truth, guesses)
    own = [
        metrics.mean_distance_percentiles(
            np.column_stack([places[groups == g], np.zeros(40)]), guesses[groups == g]
        )
        for g in range(30)
    ]
    assert (found.units, found.unit) == (30, "group")
    assert found.value == pytest.approx(np.std(own, ddof=1) / math.sqrt(30))


def test_known_formulas() -> None:
    random = np.random.default_rng(3)
    truth, predicted = grades(random)
    share = metrics.accuracy(truth, predicted)
    expected = math.sqrt(share * (1 - share) / (ROWS - 1))
    assert error_of(metrics.accuracy, truth, predicted).value == pytest.approx(expected)

    errors = random.normal(size=ROWS)
    # The standard error of the root mean square of normal errors is about σ / √(2n).
    found = error_of(metrics.root_mean_squared_error, np.zeros(ROWS), errors).value
    assert found == pytest.approx(1 / math.sqrt(2 * ROWS), rel=0.15)

    truth, predicted = probabilities(random)
    losses = -np.log(np.where(truth == 1, predicted, 1 - predicted))
    expected = np.std(losses, ddof=1) / math.sqrt(ROWS)
    assert error_of(metrics.binary_log_loss, truth, predicted).value == pytest.approx(expected)


def test_auc_agrees_with_hanley_and_mcneil() -> None:
    """Their formula assumes exponential scores, so those are drawn."""
    random = np.random.default_rng(4)
    positives, negatives = 300, 900
    truth = np.repeat([1, 0], [positives, negatives])
    scores = random.exponential(size=len(truth)) * np.where(truth == 1, 3.0, 1.0)
    area = metrics.roc_auc(truth, scores)
    one, two = area / (2 - area), 2 * area**2 / (1 + area)
    variance = area * (1 - area) + (positives - 1) * (one - area**2)
    variance += (negatives - 1) * (two - area**2)
    expected = math.sqrt(variance / (positives * negatives))
    assert error_of(metrics.roc_auc, truth, scores).value == pytest.approx(expected, rel=0.07)


def test_auc_of_chance_has_the_error_of_the_rank_sum_test() -> None:
    random = np.random.default_rng(5)
    truth = np.repeat([1, 0], [700, 500])
    expected = math.sqrt((700 + 500 + 1) / (12 * 700 * 500))
    found = error_of(metrics.roc_auc, truth, random.random(1200)).value
    assert found == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize(
    ("metric", "rows", "true_score"),
    [
        (metrics.accuracy, 200, 0.7),
        (metrics.roc_auc, 120, 0.5),
        (metrics.mean_absolute_error, 30, 1),
    ],
    ids=["accuracy", "auc", "mae"],
)
def test_intervals_cover_the_true_score(metric: Metric, rows: int, true_score: float) -> None:
    random = np.random.default_rng(6)
    trials, covered = 1000, 0
    for _ in range(trials):
        if metric is metrics.accuracy:
            truth, predicted = np.ones(rows), (random.random(rows) < 0.7).astype(float)
        elif metric is metrics.roc_auc:
            truth, predicted = random.integers(2, size=rows), random.random(rows)
        else:
            truth, predicted = np.zeros(rows), random.gamma(2, 0.5, rows)
        found = error_of(metric, truth, predicted)
        assert found.half_width is not None
        covered += abs(metric(truth, predicted) - true_score) <= found.half_width
    assert 0.93 <= covered / trials <= 0.97


@higher_is_better
def own_accuracy(y_true: np.ndarray, y_pred: np.ndarray) -> float:
    """A metric as users write it, which knows nothing of contributions."""
    return float(np.mean(y_true == y_pred))


def test_metrics_of_users_have_a_bootstrap_that_follows_from_the_seed() -> None:
    truth, predicted = grades(np.random.default_rng(7))
    found = error_of(own_accuracy, truth, predicted, seed=1)
    assert found.method == BOOTSTRAP
    exact = error_of(metrics.accuracy, truth, predicted).value
    assert found.value == pytest.approx(exact, rel=0.2)
    assert found == error_of(own_accuracy, truth, predicted, seed=1)
    assert found != error_of(own_accuracy, truth, predicted, seed=2)
    assert error_of(own_accuracy, list(truth), list(predicted), seed=1) == found


def test_what_cannot_be_resampled_has_a_reason() -> None:
    for metric in (metrics.accuracy, own_accuracy):
        found = error_of(metric, np.ones(1), np.ones(1))
        assert found.value is None
        assert found.half_width is None
        assert "nothing to resample" in str(found.reason)
    found = error_of(Metric("whole", False, lambda _truth, _prediction: 0.5), object(), object())
    assert "whole tables" in str(found.reason)
    needs_all = Metric("needs_all", False, lambda truth, _: 1 / (len(set(truth)) == len(truth)))
    assert "drawn again" in str(error_of(needs_all, np.arange(9), np.arange(9)).reason)
