"""The measures of what a public value tells about a label."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mlebench.audit import telling
from mlebench.audit.statistics import SIGMAS, Neighbours


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
    found = Neighbours(values).deviation(np.arange(len(values)))
    assert (found > SIGMAS) is is_found


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
