"""Disguised copies of another submission, and models that only resemble each other."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from mlebench.integrity.answers import _sketch
from mlebench.integrity.likeness import (
    Numbers,
    Sketch,
    _chance,
    find_blend,
    misplaced,
    resemblance,
)

RNG = np.random.default_rng(5)
TRUTH = RNG.normal(size=300)


def model(noise: float = 0.5, seed: int = 0) -> Numbers:
    """Predictions that follow the truth, with errors of their own."""
    return TRUTH + noise * np.random.default_rng(seed).normal(size=len(TRUTH))


def sketch(cells: Numbers) -> Sketch:
    return Sketch({"y": cells.tolist()})


def saturated(seed: int) -> Numbers:
    """Chances of a naive Bayes model: all but twelve are 0 or 1 to seven digits."""
    draw = np.random.default_rng(seed)
    cells = np.where(TRUTH > 0, 1 - 1e-12, 1e-12)
    cells[np.argsort(np.abs(TRUTH))[:12]] = draw.uniform(0.05, 0.95, 12)
    return cells


def changed(cells: Numbers) -> Numbers:
    """Every third cell is another model's."""
    return np.where(np.arange(len(cells)) % 3 == 0, model(seed=9), cells)


COPIES: dict[str, Callable[[Numbers], Numbers]] = {
    "rounded": lambda y: np.round(y, 4),
    "scaled and shifted": lambda y: 0.8 * y + 3,
    "logistic": lambda y: 1 / (1 + np.exp(-y)),
    "ranks": lambda y: np.argsort(np.argsort(y)).astype(float),
    "rows changed": changed,
}


@pytest.mark.parametrize("disguise", COPIES.values(), ids=COPIES)
def test_disguised_copies(disguise: Callable[[Numbers], Numbers]) -> None:
    theirs = model(seed=1)
    found = resemblance(sketch(disguise(theirs)), sketch(theirs))
    assert found and found.is_sure


def test_two_models_of_one_task() -> None:
    assert resemblance(sketch(model(seed=1)), sketch(model(seed=2))) is None
    # The same model with another setting: nearly the same order, yet no copy.
    close = model(seed=1) + 0.003 * model(noise=3, seed=2)
    assert resemblance(sketch(close), sketch(model(seed=1))) is None
    found = resemblance(sketch(close), sketch(model(seed=1)), usual=[240] * 6)
    assert found and not found.is_sure


def test_zeros_and_ones_after_rounding() -> None:
    """The few cells between 0 and 1 decide."""
    theirs = saturated(1)
    found = resemblance(sketch(np.round(theirs, 7)), sketch(theirs))
    assert found and found.is_sure and found.reason.startswith("12 of 12 ")
    other = resemblance(sketch(np.round(saturated(2), 7)), sketch(theirs))
    assert other is None or not other.is_sure


@pytest.mark.parametrize(("usual", "is_sure"), [([12] * 6, True), ([3] * 6, False), ([12], False)])
def test_a_threshold_is_judged_by_the_other_runs(usual: list[int], is_sure: bool) -> None:
    """12 rows are expected: e^-12 is below 1e-5. 3 rows: e^-3 is no surprise."""
    theirs = model(seed=1)
    found = resemblance(sketch((theirs > 0.3).astype(float)), sketch(theirs), usual)
    assert found and found.is_sure == is_sure


def test_scores_are_no_copy_of_labels() -> None:
    """Where a task is easy, scores of one model separate the labels of another."""
    scores = model(seed=1)
    labels = sketch((scores > 0.3).astype(float))
    assert misplaced(sketch(scores), labels) == 0
    assert resemblance(sketch(scores), labels, usual=[240] * 6) is None


def test_misplaced_rows() -> None:
    ours = Sketch({"y": [1.0, 2.0, 3.0, 4.0], "word": ["a", "b", "a", "b"]})
    assert misplaced(ours, Sketch({"y": [1.0, 3.0, 2.0, 9.0], "word": ["a", "b", "b", "b"]})) == 2
    assert misplaced(ours, Sketch({"y": [4.0, 3.0, 2.0, 1.0], "word": ["a", "b", "a", "b"]})) == 3


def test_chance_of_few_rows() -> None:
    assert _chance(0, 2.0) == pytest.approx(math.exp(-2))
    assert _chance(2, 2.0) == pytest.approx(5 * math.exp(-2))  # 1 + 2 + 2


def test_blends_of_two_runs() -> None:
    others = [sketch(model(seed=n)) for n in range(6)]
    blend = 0.3 * model(seed=1) + 0.7 * model(seed=4)
    assert resemblance(sketch(blend), others[4]) is None
    found = find_blend(sketch(blend), others)
    assert found and set(found) == {1, 4}
    assert set(find_blend(sketch(np.round(blend, 6)), others) or ()) == {1, 4}
    assert find_blend(sketch(model(seed=7)), others) is None
    # Ranks of another blend cannot be told from chance.
    assert find_blend(sketch(np.round(blend, 1)), others) is None


def test_order_of_rows_and_columns_does_not_count() -> None:
    table = pd.DataFrame({"id": range(50), "a": RNG.random(50), "b": RNG.random(50)})
    sample = table.assign(a=0.5, b=0.5)
    mixed = table.sample(frac=1, random_state=1)[["b", "id", "a"]]
    assert _sketch(mixed, sample) == _sketch(table, sample)
    assert list(_sketch(table.assign(b=0.5), sample)) == ["a"]
