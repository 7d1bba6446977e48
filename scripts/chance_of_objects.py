"""Chances of random boxes, masks, labels and answers, for scores that look for objects.

What a random prediction is least likely to hit is granted, so that a bound needs few facts about
the real labels. Each is assumed in favour of chance and named in the method.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence

from chance_of_answers import COVERED, SPREAD_OF_GROUPS, Tail
from scipy.stats import binom, norm

TRIALS = 400
STUDIES, KINDS = 606, (0.47, 0.28, 0.17, 0.08)
"""Of the chest x-rays for COVID-19, and the shares of the four kinds; each study is of one."""

NORMAL = 0.4
"""At most the share of these pictures without an opacity."""

FINDINGS, KINDS_OF_FINDING = 2.5, 15
"""At most the mean number of kinds in a picture of vinbigdata, `No finding` included, and all."""

OBJECTS, AREA_M2, WINDOW_M2 = 20, 10_000, 4
"""At most the objects of a class around a car, at least the area in which they are, and at most the
area in which the centre of a box must be that overlaps with one by half: of a car 5 m by 2 m, whose
sides two boxes share by two thirds."""

CHARACTER = 0.05
"""At most the share of the most frequent character."""

EASY_SALT = 0.6
"""At most the share of pictures without salt or with more than half of it."""

RIGHT_ANSWER, BLANK = 0.05, 0.57117
"""At most the chance of a random answer, and what blank answers score."""

CAMERA_CLASSES = 14
PATIENTS, DIFFERENCE_ML = 18, 500
"""Of the lung data, and at least the mean difference of the capacities of two patients, where
differences beyond 1,000 ml count as such."""


def beyond(mean: float, error: float) -> Tail:
    return lambda cut: float(norm.sf((cut - mean) / error))


def bounded(mean: float, units: int) -> Tail:
    """Hoeffding's bound for a mean of scores from 0 to 1."""
    return lambda cut: math.exp(-2 * units * (cut - mean) ** 2) if cut > mean else 1.0


def studies(name: str, rows: int) -> tuple[Tail, str]:
    """Boxes are granted; elsewhere the average precision of a random order is simulated."""
    draw, pictures = random.Random(0), rows - STUDIES
    counts = [(STUDIES, round(share * STUDIES)) for share in KINDS]
    counts.append((pictures, round(NORMAL * pictures)))
    scores = [
        (1 + sum(statistics.mean(precisions(draw, *each)) for each in counts)) / 6
        for _ in range(TRIALS)
    ]
    method = (
        f"at most: random confidences, simulated; boxes granted, {NORMAL:.0%} of pictures assumed"
        " to have none"
    )
    return beyond(statistics.mean(scores), statistics.stdev(scores)), method


def findings(name: str, rows: int) -> tuple[Tail, str]:
    """The place of every box is granted, so that its picture must have that kind of finding."""
    draw, found = random.Random(0), round(rows * FINDINGS / KINDS_OF_FINDING)
    each = [statistics.mean(best_after(precisions(draw, rows, found))) for _ in range(TRIALS)]
    error = statistics.stdev(each) / math.sqrt(KINDS_OF_FINDING)
    method = (
        f"at most: random confidences, simulated; places granted, {FINDINGS:g} of"
        f" {KINDS_OF_FINDING} kinds assumed in a picture"
    )
    return beyond(statistics.mean(each), error), method


def precisions(draw: random.Random, count: int, positives: int) -> list[float]:
    """The precision at each positive of a random order."""
    ranks = sorted(draw.sample(range(1, count + 1), positives))
    return [hits / rank for hits, rank in enumerate(ranks, 1)]


def best_after(found: Sequence[float]) -> list[float]:
    """The highest precision at each positive or after it, which interpolated scores count."""
    best = [0.0]
    for precision in reversed(found):
        best.append(max(best[-1], precision))
    return best[1:]


def boxes_on_the_road(name: str, rows: int) -> tuple[Tail, str]:
    """Any number of boxes of the right sizes: an object is hit after a geometric number of them."""
    draw, chance = random.Random(0), WINDOW_M2 / AREA_M2
    scores = []
    for _ in range(TRIALS):
        ranks = sorted(
            math.ceil(math.log(1 - draw.random()) / math.log(1 - chance)) for _ in range(OBJECTS)
        )
        found = [min(1.0, hits / max(rank, 1)) for hits, rank in enumerate(ranks, 1)]
        scores.append(statistics.mean(best_after(found)))
    method = (
        f"at most: random boxes, simulated; a centre within {WINDOW_M2} of {AREA_M2:,} m² assumed"
        f" to hit one of {OBJECTS} objects"
    )
    return bounded(statistics.mean(scores), rows), method


def characters(name: str, rows: int) -> tuple[Tail, str]:
    method = f"at most: the most frequent character, {CHARACTER:.0%} assumed; all places granted"
    return bounded(CHARACTER, rows), method


def salt(name: str, rows: int) -> tuple[Tail, str]:
    """Elsewhere masks of random pixels, or all of them, overlap by less than half."""
    method = (
        f"at most: masks of random pixels; pictures without salt or with more than half of it,"
        f" {EASY_SALT:.0%} assumed, granted"
    )
    return bounded(EASY_SALT, rows), method


def organs(name: str, rows: int) -> tuple[Tail, str]:
    """Dice of random pixels is at most that of all pixels; there are millions of them."""
    most = 0.4 * 2 * COVERED / (1 + COVERED) + 0.6
    method = (
        f"at most: masks of random pixels, of which up to {COVERED:.0%} are assumed to be true;"
        " the distance granted"
    )
    return lambda cut: float(cut <= most), method


def spans(name: str, rows: int) -> tuple[Tail, str]:
    """Rows that are rightly blank are granted; the others are hit one by one."""
    others = round((1 - BLANK) * rows)
    method = (
        f"at most: random answers, {RIGHT_ANSWER:.0%} assumed to be right; rows without an answer,"
        f" {BLANK:.1%}, granted"
    )

    def tail(cut: float) -> float:
        return float(binom.sf(math.ceil((cut - BLANK) * rows) - 1, others, RIGHT_ANSWER))

    return tail, method


def animals(name: str, rows: int) -> tuple[Tail, str]:
    """F1 of a class is at most the mean of its share and that of the guesses, so 1 / classes."""
    method = f"at most: random guesses among {CAMERA_CLASSES} classes, standard error 1/√{rows:,}"
    return beyond(1 / CAMERA_CLASSES, 1 / math.sqrt(rows)), method


def lungs(name: str, rows: int) -> tuple[Tail, str]:
    """With the best confidence a mean error of d scores -1 - ln(2 d)."""
    method = (
        f"at most: capacities of other patients, assumed to differ by {DIFFERENCE_ML} ml or more,"
        " and the best confidence"
    )

    def tail(cut: float) -> float:
        share = math.exp(-cut - 1) / 2 / DIFFERENCE_ML
        return float(norm.cdf((share - 1) * math.sqrt(PATIENTS) / SPREAD_OF_GROUPS))

    return tail, method


OBJECTS_BY_METRIC: dict[str, Callable[[str, int], tuple[Tail, str]]] = {
    "character_f1": characters,
    "coco_mean_average_precision": findings,
    "dice_and_distance": organs,
    "macro_f1": animals,
    "mean_average_precision": studies,
    "mean_average_precision_3d": boxes_on_the_road,
    "mean_iou_precision": salt,
    "modified_laplace_log_likelihood": lungs,
    "share_of_right_answers": spans,
}
