"""Write `catalogue/chance.json`: how often predictions that know nothing win a medal.

    python scripts/make_chance.py            # write
    python scripts/make_chance.py --check    # exit 1 when the file is out of date

From formulas for random predictions at the size of the real test data (`benchmarks/real_size.py`)
and the cuts of the human leaderboard; no data is needed. Where a formula needs a fact that is not
public, the bound for its worst plausible value is stored, and says so.
"""

from __future__ import annotations

import json
import math
import random
import runpy
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from chance_of_answers import Tail, cancers, couplings, equal_texts, fractures, pixels, wrong_order
from chance_of_objects import OBJECTS_BY_METRIC
from generated import write_or_check
from scipy.stats import binom, norm

from mlebench.catalogue import PACKAGE, Catalogue

SIZES = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks" / "real_size.py"))
FILE = PACKAGE / "catalogue" / "chance.json"
POSITIVES = {
    "aerial-cactus-identification": 0.75,
    "alaska2-image-steganalysis": 0.5,
    "rsna-miccai-brain-tumor-radiogenomic-classification": 31 / 59,
    "siim-isic-melanoma-classification": 0.018,
}
"""The share of positive test rows, where it is known."""

FEWEST = 0.05
"""The share that is assumed elsewhere: with fewer positives chance decides more."""

AREAS = ("roc_auc", "mean_column_roc_auc", "weighted_roc_auc", "bias_roc_auc")
CLASSES = {
    "cassava-leaf-disease-classification": 5,
    "cdiscount-image-classification-challenge": 5000,
    "herbarium-2020-fgvc7": 32_000,
    "herbarium-2021-fgvc8": 64_000,
    "herbarium-2022-fgvc9": 15_000,
    "hotel-id-2021-fgvc8": 7000,
    "inaturalist-2019-fgvc6": 1010,
    "iwildcam-2020-fgvc7": 200,
    "ml2021spring-hw2": 39,
    "movie-review-sentiment-analysis-kernels-only": 5,
    "paddy-disease-classification": 10,
    "plant-seedlings-classification": 12,
    "spaceship-titanic": 2,
    "tabular-playground-series-dec-2021": 7,
    "tensorflow-speech-recognition-challenge": 12,
    "whale-categorization-playground": 4000,
}
"""The number of classes, rounded down where it is large: fewer classes favour chance."""

GUESSES = {"accuracy": 1, "micro_f1": 1, "top_1_error": 1, "mean_average_precision_at_5": 5}
AGREEMENTS = (
    "quadratic_kappa",
    "matthews_correlation",
    "pearson_correlation",
    "mean_column_spearman",
)
SOUNDS = 80
PRIORS = {
    "dog-breed-identification": 4.7,
    "dogs-vs-cats-redux-kernels-edition": math.log(2),
    "hms-harmful-brain-activity-classification": 1.39,
    "leaf-classification": math.log(99),
    "lmsys-chatbot-arena": 1.09,
    "spooky-author-identification": 1.08,
    "statoil-iceberg-classifier-challenge": 0.69,
}
"""The log loss of the true class shares, rounded down where the classes are not equally frequent:
the breeds have 66 to 126 pictures each, icebergs are 753 of 1,604. For votes, the divergence."""

PATIENTS = {"hms-harmful-brain-activity-classification": 195}
"""Of the test, where rows of one are not independent."""

LABELS = {
    "facebook-recruiting-iii-keyword-extraction": (42_000, 5),
    "imet-2020-fgvc7": (3_400, 20),
    "plant-pathology-2021-fgvc8": (6, 3),
}
"""The number of labels, and at least the most that a row has."""

ARTICLES, BOUGHT, BUYERS = 105_000, 100, 1 / 20
"""Articles, at least the most that a customer buys in a week, and the share of customers that buy
anything: those that are scored."""

SIGNS = 20


def main() -> int:
    return write_or_check({FILE: json.dumps(computed(), indent=1, ensure_ascii=False) + "\n"})


def computed() -> dict[str, dict[str, Any]]:
    catalogue = Catalogue()
    ids = [name for split in ("all", "dev") for name in catalogue.get_split(split)]
    return {name: _chance(catalogue, name) for name in sorted(ids)}


def _chance(catalogue: Catalogue, name: str) -> dict[str, Any]:
    competition = catalogue.get_competition(name)
    metric, rows = competition.definition.metric.name, SIZES["ROWS"][name]
    facts: dict[str, Any] = {"test_rows": rows, "is_estimated": name in SIZES["ASSUMED"]}
    tail, method = _tail(name, metric, rows)
    cuts = competition.load_leaderboard().thresholds
    names = {"any_medal": "bronze", "silver": "silver", "gold": "gold", "above_median": "median"}
    shares = {kind: round(tail(getattr(cuts, cut)), 4) for kind, cut in names.items()}
    return facts | shares | {"method": method}


def _tail(name: str, metric: str, rows: int) -> tuple[Tail, str]:
    if metric in AREAS:
        share = POSITIVES.get(name, FEWEST)
        positives, negatives = share * rows, (1 - share) * rows
        error = math.sqrt((rows + 1) / (12 * positives * negatives))
        bound = "" if name in POSITIVES and metric == "roc_auc" else "at most: "
        method = f"{bound}random scores, {share:.0%} positives, standard error {error:.2g}"
        return lambda cut: float(norm.sf((cut - 0.5) / error)), method
    if metric in GUESSES and name in CLASSES:
        chance = min(1.0, GUESSES[metric] / CLASSES[name])
        is_error = metric == "top_1_error"

        def tail(cut: float) -> float:
            hits = math.ceil(round(rows * (1 - cut if is_error else cut), 6))
            return float(binom.sf(hits - 1, rows, chance))

        bound = "at most: " if GUESSES[metric] > 1 or CLASSES[name] >= 200 else ""
        return tail, f"{bound}uniform guesses among {CLASSES[name]:,} classes"
    if metric == "macro_f1" and CLASSES.get(name, 0) > 1000:
        classes = CLASSES[name]
        method = f"at most: uniform guesses among {classes:,} classes, each hit a whole class"
        return lambda cut: float(binom.sf(math.ceil(cut * classes) - 1, rows, 1 / classes)), method
    if metric in AGREEMENTS:
        method = f"random predictions, standard error 1/√{rows:,}"
        return lambda cut: float(norm.sf(cut * math.sqrt(rows))), method
    if metric == "label_weighted_ranking_average_precision":
        ranks = [1 / rank for rank in range(1, SOUNDS + 1)]
        mean = sum(ranks) / SOUNDS
        error = math.sqrt((sum(x * x for x in ranks) / SOUNDS - mean**2) / rows)
        method = f"random orders of {SOUNDS} classes, one of them true"
        return lambda cut: float(norm.sf((cut - mean) / error)), method
    return OTHERS[metric](name, rows)


def _log_loss(name: str, rows: int) -> tuple[Tail, str]:
    """A bound for all predictions that know nothing about the rows.

    The product of the predicted probabilities over that of the true shares has mean 1 if labels
    are drawn by these shares, so Markov's inequality bounds how often it is large.
    """
    prior, rows = PRIORS[name], PATIENTS.get(name, rows)
    method = f"at most: any predictions, by Markov's inequality; the class shares lose {prior:.3g}"
    return lambda cut: min(1.0, math.exp(min(0.0, -rows * (prior - cut)))), method


def _angles(name: str, rows: int) -> tuple[Tail, str]:
    """Random directions: an angle has the density sin(x)/2, mean π/2 and variance π²/4 - 2."""
    error = math.sqrt((math.pi**2 / 4 - 2) / rows)
    method = f"random directions, mean π/2, standard error {error:.2g}"
    return lambda cut: float(norm.cdf((cut - math.pi / 2) / error)), method


def _orders(name: str, rows: int) -> tuple[Tail, str]:
    """Hoeffding's bound, as if all but a tenth of the notebooks weighed nothing."""
    method = "at most: random orders, by Hoeffding's inequality for a tenth of the notebooks"
    return lambda cut: math.exp(-(rows / 10) * cut**2 / 2) if cut > 0 else 1.0, method


def _label_sets(name: str, rows: int) -> tuple[Tail, str]:
    """One guess a row, and rows of one label or more: F1 of c needs hits in a share c of them."""
    labels, most = LABELS[name]
    method = f"at most: a random label a row, of {labels:,}, where rows have up to {most}"
    return lambda cut: float(binom.sf(math.ceil(cut * rows) - 1, rows, most / labels)), method


def _purchases(name: str, rows: int) -> tuple[Tail, str]:
    """Average precision is at most the number of hits over that of purchases, up to twelve.

    Its mean is 12 / articles for up to twelve purchases, and purchases / articles for more.
    """
    mean, customers = BOUGHT / ARTICLES, rows * BUYERS
    method = f"at most: twelve random articles of {ARTICLES:,}, by Chernoff's bound"

    def tail(cut: float) -> float:
        distance = cut * math.log(cut / mean) + (1 - cut) * math.log((1 - cut) / (1 - mean))
        return math.exp(-customers * distance) if cut > mean else 1.0

    return tail, method


def _gestures(name: str, rows: int) -> tuple[Tail, str]:
    """Simulated, with the seed 0: orders of the twenty signs against other ones."""
    from rapidfuzz.distance import Levenshtein

    draw, signs = random.Random(0), range(SIGNS)
    errors = [
        Levenshtein.distance(draw.sample(signs, SIGNS), draw.sample(signs, SIGNS)) / SIGNS
        for _ in range(5000)
    ]
    mean, error = statistics.mean(errors), statistics.stdev(errors) / math.sqrt(rows)
    method = f"simulated: random orders of {SIGNS} signs, mean {mean:.3f}, error {error:.2g}"
    return lambda cut: float(norm.cdf((cut - mean) / error)), method


OTHERS: dict[str, Callable[[str, int], tuple[Tail, str]]] = {
    "multi_class_log_loss": _log_loss,
    "binary_log_loss": _log_loss,
    "mean_angular_error": _angles,
    "kendall_tau": _orders,
    "label_set_micro_f1": _label_sets,
    "mean_average_precision_at_12": _purchases,
    "list_error_rate": _gestures,
    "mean_weighted_log_loss": fractures,
    "kullback_leibler_divergence": _log_loss,
    **OBJECTS_BY_METRIC,
    "log_mean_absolute_error": couplings,
    "probabilistic_f1": cancers,
    "global_dice": pixels(1),
    "mean_dice": pixels(1),
    "mean_f0.5_score": pixels(0.5),
    **dict.fromkeys(("text_accuracy", "word_jaccard", "lenient_word_jaccard"), equal_texts),
    **dict.fromkeys(
        (
            "mean_levenshtein_distance",
            "root_mean_squared_error",
            "mean_absolute_error",
            "whole_mean_absolute_error",
            "mean_column_root_mean_squared_error",
            "mean_column_root_mean_squared_log_error",
            "mean_distance_percentiles",
        ),
        wrong_order,
    ),
}


if __name__ == "__main__":
    sys.exit(main())
