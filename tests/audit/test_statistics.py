"""The measures of what a public value tells about a label."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from mlebench.audit import telling
from mlebench.audit.audited import Audited
from mlebench.audit.noise import standard_error
from mlebench.audit.statistics import ChanceMoments, Dependence, Neighbours, separation
from tests.audit.planted import build


@pytest.mark.parametrize(
    ("values", "is_found"),
    [
        (np.arange(500.0), True),
        (np.repeat(["cat", "dog"], 200), True),
        (np.tile(["cat", "dog"], 200), False),
        (np.random.default_rng(1).normal(size=500), False),
        (np.random.default_rng(2).choice(["a", "b", "c"], 500), False),
        (np.sort(np.random.default_rng(3).normal(size=500)), True),
        (np.ones(500), False),
        (np.arange(10.0), False),
    ],
)
def test_neighbours(values: NDArray[Any], is_found: bool) -> None:
    likeness = Neighbours(values)
    found = likeness.deviation(np.arange(len(values)))
    assert (found > likeness.chance.deviation(100)) is is_found


@pytest.mark.parametrize("tests", [1, 60, 100_000])
def test_limits_for_many_tests(tests: int) -> None:
    """A third of 0.1 % for all tests together."""
    normal = NormalDist().inv_cdf(1 - 0.001 / 3 / tests)
    assert ChanceMoments(0, 1, 0).deviation(tests) == pytest.approx(normal, rel=1e-6)
    # With a skewness of 2 the distribution is exponential: P(x > t) = exp(-1 - t).
    exponential = math.log(3000 * tests) - 1
    assert ChanceMoments(0, 1, 2).deviation(tests) == pytest.approx(exponential, rel=1e-6)


def test_weak_dependence_is_found() -> None:
    """A trend that a thousand noisy numbers hide: five standard deviations of chance."""
    values = np.random.default_rng(4).normal(size=1000) + np.linspace(0, 1.7, 1000)
    found = Dependence.of(np.arange(1000), values)
    sigmas = (found.information - found.chance.mean) / found.chance.spread
    assert 4.8 < sigmas < 5.8
    assert found.limit(10) < found.information < found.limit(100_000)


def test_rare_class_is_no_false_alarm() -> None:
    """Ten rows of 100: that six are neighbours of their like, the normal limit, is not rare."""
    likeness = Neighbours(np.repeat([1, 0], [10, 90]))
    draw = np.random.default_rng(1)
    found = [likeness.deviation(draw.permutation(100)) for _ in range(20_000)]
    assert max(found) > NormalDist().inv_cdf(1 - 0.001 / 3 / 20_000)
    assert max(found) < likeness.chance.deviation(20_000)


@pytest.mark.parametrize(
    ("text", "is_described"),
    [
        ("- `alcohol` (percent by volume), `ash`", True),
        ("**Alcohol** percent by volume", True),
        ("alcohol - percent by volume", True),
        ("| alcohol | percent |", True),
        ("alcohol: percent by volume", True),
        ("Wines have alcohol of some percent.", False),
        ("- `alcohol_free`: whether it has none", False),
    ],
)
def test_columns_that_a_description_names(text: str, is_described: bool) -> None:
    assert telling.is_described("alcohol", f"# Wine\n\n{text}\n") is is_described


def test_texts_that_differ_in_numbers_are_compared_as_numbers() -> None:
    """As texts, 5 is after 41."""
    truth = pd.Series(np.random.default_rng(0).permutation(100))
    texts = truth.map(lambda count: f'{{"width": 16, "objects": {count}, "tool": "x"}}')
    assert separation(texts, truth) == pytest.approx(1)
    words = truth.map(lambda count: f"{'ab'[count % 2]} {count}")
    assert separation(words, truth) < 0.9


ONE_OF_A_HUNDRED = "test['label'] = (np.arange(TEST) == 0).astype(int)"


def test_resamples_without_a_score_do_not_count(tmp_path: Path) -> None:
    """A third of them lack the only row with another label, and have no correlation."""
    located = build(tmp_path, 0, after=ONE_OF_A_HUNDRED, metric="pearson_correlation")
    with Audited.open(located, with_baseline=False) as audited:
        error = standard_error(audited)
    assert error is not None and math.isfinite(error)
