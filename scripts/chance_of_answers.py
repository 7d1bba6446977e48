"""Chances of the right answers in a wrong order, for scores that have no classes to guess among.

Each bound needs one fact about the real labels. It is assumed in favour of chance, much below what
is known about the data, and named in the method.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.stats import binom, norm

Tail = Callable[[float], float]
"""The probability that a score is at least as good as a cut."""

ERRORS = {
    "bms-molecular-translation": (20, 1, 484_838),
    "billion-word-imputation": (50, 1, 303_010),
    "denoising-dirty-documents": (0.1, 2, 29),
    "new-york-city-taxi-fare-prediction": (9, 2, 9_914),
    "nomad2018-predict-transparent-conductors": (0.25, 2, 240),
    "petfinder-pawpularity-score": (25, 2, 992),
    "predict-volcanic-eruptions-ingv-oe": (12e6, 1, 444),
    "smartphone-decimeter-2022": (100, 1, 17),
    "stanford-covid-vaccine": (0.6, 2, 240),
    "ventilator-pressure-prediction": (3, 1, 7_545),
}
"""At least the error of answers in a random order, the power by which errors are averaged, and how
many rows or groups of rows are independent."""

SPREAD, SPREAD_OF_GROUPS = 3, 1
"""At most the standard deviation of the error of a row, and of the mean error of a
breath, a molecule, a page or a drive, as multiples of the mean."""

GROUPED = frozenset(
    [
        "denoising-dirty-documents",
        "smartphone-decimeter-2022",
        "stanford-covid-vaccine",
        "ventilator-pressure-prediction",
    ]
)

COUPLING_HZ = 1
"""The same for couplings, whose errors are averaged as logarithms, by type."""

EQUAL = {
    "chaii-hindi-and-tamil-question-answering": 0.1,
    "text-normalization-challenge-english-language": 0.1,
    "text-normalization-challenge-russian-language": 0.2,
    "tweet-sentiment-extraction": 0.3,
}
"""At most the mean similarity of a text and that of another row, from 0 to 1; of tokens the share
of the most frequent one."""

COVERED = 0.3
"""At most the share of pixels that belong to what is looked for."""

CANCERS = 0.021
"""Of the mammograms: 1,158 of 54,706."""

FRACTURED, VERTEBRAE = 0.47, (0.07, 0.14, 0.03, 0.05, 0.08, 0.13, 0.19)
"""The share of studies of the neck with a fracture, and with one of C1 to C7, rounded down."""


def wrong_order(name: str, rows: int) -> tuple[Tail, str]:
    """Errors: their mean is normal, since those of many rows are averaged."""
    least, power, count = ERRORS[name]
    spread = SPREAD_OF_GROUPS if name in GROUPED else SPREAD
    method = f"at most: answers in a random order, whose error is assumed to be {least:,g} or more"

    def tail(cut: float) -> float:
        share = (cut / least) ** power
        return float(norm.cdf((share - 1) * math.sqrt(count) / spread))

    return tail, method


def couplings(name: str, rows: int) -> tuple[Tail, str]:
    method = f"at most: couplings in a random order, assumed to differ by {COUPLING_HZ} Hz or more"
    error = SPREAD_OF_GROUPS / math.sqrt(rows / 55)  # some 55 couplings in a molecule
    return lambda cut: float(norm.cdf((math.exp(cut) / COUPLING_HZ - 1) / error)), method


def equal_texts(name: str, rows: int) -> tuple[Tail, str]:
    """Hoeffding's bound for similarities from 0 to 1."""
    most = EQUAL[name]
    method = f"at most: texts of other rows, whose mean similarity is assumed to be up to {most:g}"
    return lambda cut: math.exp(-2 * rows * (cut - most) ** 2) if cut > most else 1.0, method


def pixels(beta: float) -> Callable[[str, int], tuple[Tail, str]]:
    """Masks of random pixels: precision is the covered share, whatever the recall; 1 is the best.

    There are millions of pixels, so that the score of a mask is its mean.
    """
    best = (1 + beta**2) * COVERED / (beta**2 * COVERED + 1)
    method = f"at most: masks of random pixels, of which up to {COVERED:.0%} are assumed to be true"

    def found(name: str, rows: int) -> tuple[Tail, str]:
        return lambda cut: float(cut <= best), method

    return found


def cancers(name: str, rows: int) -> tuple[Tail, str]:
    """The best number of pictures that are called positive, at random, for each cut."""
    positives = round(CANCERS * rows)
    method = f"at most: any number of random pictures, {CANCERS:.1%} of which are positive"

    def tail(cut: float) -> float:
        return max(
            float(binom.sf(math.ceil(cut * (drawn + positives) / 2) - 1, drawn, CANCERS))
            for drawn in range(1, rows + 1)
        )

    return tail, method


def fractures(name: str, rows: int) -> tuple[Tail, str]:
    """Simulated, with the seed 0: the constants with the least expected loss.

    The loss is convex, so random predictions do worse than constants. A positive label weighs
    twice, the question whether there is any fracture seven times; weights are divided by their
    sum over the study.
    """
    rng, studies = np.random.default_rng(0), 100_000
    is_fractured = rng.random((studies, 1)) < FRACTURED
    shares = np.array(VERTEBRAE) / FRACTURED
    labels = np.hstack([is_fractured, is_fractured & (rng.random((studies, 7)) < shares)])
    weights = (1 + labels) * np.array([7, 1, 1, 1, 1, 1, 1, 1])
    weights = weights / weights.sum(axis=1, keepdims=True)
    constants = (weights * labels).sum(axis=0) / weights.sum(axis=0)
    losses = -(weights * np.log(np.where(labels, constants, 1 - constants))).sum(axis=1)
    mean, error = losses.mean(), losses.std() / math.sqrt(rows / 8)
    method = f"simulated: the best constants, {FRACTURED:.0%} fractured, mean {mean:.2f}"
    return lambda cut: float(norm.cdf((cut - mean) / error)), f"{method}, error {error:.1g}"
