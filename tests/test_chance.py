"""Chances of a medal: figures of the specification, and models at points known by hand."""

from __future__ import annotations

import json
import math
import runpy
import statistics
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace

import pytest

from mlebench.catalogue import PACKAGE

SCRIPTS = Path(__file__).parents[1] / "scripts"
CHANCES = json.loads((PACKAGE / "catalogue" / "chance.json").read_bytes())


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    answers = SimpleNamespace(**runpy.run_path(str(SCRIPTS / "chance_of_answers.py")))
    objects = runpy.run_path(str(SCRIPTS / "chance_of_objects.py"))
    return SimpleNamespace(**objects, answers=answers)


def test_a_coin_on_59_cases() -> None:
    found = CHANCES["rsna-miccai-brain-tumor-radiogenomic-classification"]
    shares = [round(found[kind], 2) for kind in ("any_medal", "silver", "gold", "above_median")]
    assert shares == [0.16, 0.14, 0.09, 0.37]


def test_every_competition_has_a_rate() -> None:
    assert len(CHANCES) == 82
    rates = [found["any_medal"] for found in CHANCES.values()]
    assert 0 <= min(rates) <= max(rates) <= 1


def test_precision_of_a_random_order(models: SimpleNamespace) -> None:
    """Two positives of five: the mean over all ten orders."""
    orders = list(combinations(range(1, 6), 2))
    expected = statistics.mean((1 / first + 2 / second) / 2 for first, second in orders)
    draw = models.random.Random(0)
    found = statistics.mean(statistics.mean(models.precisions(draw, 5, 2)) for _ in range(20_000))
    assert found == pytest.approx(expected, abs=0.01)
    assert sorted(models.best_after([0.5, 0.2, 0.3])) == [0.3, 0.3, 0.5]


def test_models_at_known_points(models: SimpleNamespace) -> None:
    # e^-2: a mean that is 0.1 too high, over 100 units.
    assert models.bounded(0.5, 100)(0.6) == pytest.approx(0.1353, abs=1e-4)
    # A mean error of 500 ml, which is what the model expects, scores -1 - ln 1000.
    assert models.lungs("", 1900)[0](-1 - math.log(1000)) == pytest.approx(0.5)
    # Fourteen classes of equal size have a mean F1 of one fourteenth.
    assert models.animals("iwildcam-2019-fgvc6", 16_877)[0](1 / 14) == pytest.approx(0.5)
    # All pixels marked, 30 % of them rightly: Dice 0.6 / 1.3.
    dice = 0.4 * 0.6 / 1.3 + 0.6
    assert [models.organs("", 1)[0](dice + step) for step in (-1e-6, 1e-6)] == [1, 0]
    # Fifty right answers are needed, where 43 rows are not blank; then none.
    assert models.spans("", 100)[0](1.0711) == 0
    assert models.spans("", 100)[0](0.57117) == 1


def test_constants_for_fractures(models: SimpleNamespace) -> None:
    """All patterns of broken vertebrae, each with its probability and the loss of constants."""
    share, each = models.answers.FRACTURED, models.answers.VERTEBRAE
    patterns = [((0,) * 8, 1 - share)]
    for broken in product((0, 1), repeat=7):
        odds = (
            part / share if is_broken else 1 - part / share
            for part, is_broken in zip(each, broken, strict=True)
        )
        patterns.append(((1, *broken), share * math.prod(odds)))
    mass, hits = [0.0] * 8, [0.0] * 8
    for labels, probability in patterns:
        weights = weights_of(labels)
        for k in range(8):
            mass[k] += probability * weights[k]
            hits[k] += probability * weights[k] * labels[k]
    expected = sum(
        -hit * math.log(hit / all_) - (all_ - hit) * math.log(1 - hit / all_)
        for hit, all_ in zip(hits, mass, strict=True)
    )
    tail, _ = models.answers.fractures("", 8)
    assert tail(expected) == pytest.approx(0.5, abs=0.01)


def weights_of(labels: tuple[int, ...]) -> list[float]:
    weights = [(7 if k == 0 else 1) * (1 + label) for k, label in enumerate(labels)]
    return [weight / sum(weights) for weight in weights]
