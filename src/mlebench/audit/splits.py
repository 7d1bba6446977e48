"""Splits of a list by a seed: the places in the source of the items of test and train."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Places: TypeAlias = "NDArray[np.int64]"


def _shuffle(seed: int, size: int, count: int) -> Places:
    listed = list(range(size))
    random.Random(seed).shuffle(listed)
    return np.array(listed)


def _sample(seed: int, size: int, count: int) -> Places:
    chosen = random.Random(seed).sample(range(size), count)
    return np.concatenate([chosen, np.delete(np.arange(size), chosen)])


def _generator(seed: int, size: int, count: int) -> Places:
    return np.random.default_rng(seed).permutation(size)


def _permutation(seed: int, size: int, count: int) -> Places:
    return np.random.RandomState(seed).permutation(size)


def _end_of(split: Callable[[int, int, int], Places]) -> Callable[[int, int, int], Places]:
    return lambda seed, size, count: np.roll(split(seed, size, count), count)


FAST_SPLITS = {
    "numpy's generator": _generator,
    "the end of numpy's generator": _end_of(_generator),
    "the end of a permutation": _end_of(_permutation),
}
SLOW_SPLITS = {
    "a shuffle": _shuffle,
    "the end of a shuffle": _end_of(_shuffle),
    "a sample": _sample,
}
"""Splits other than `train_test_split`: the first or the last of a shuffled list, or a sample."""
