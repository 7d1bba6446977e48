"""Sorting in buckets, beside numpy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mlebench.metrics.ranking import roc_auc
from mlebench.metrics.sorting import ROWS_AT_ONCE, are_unique, keys_of, sorted_keys

FLOATS = hnp.arrays(float, st.integers(0, 100), elements=st.floats(width=16))
INTEGERS = hnp.arrays(np.int64, st.integers(0, 100))
MANY = 3 * ROWS_AT_ONCE + 5


@given(FLOATS)
def test_keys_have_the_order_of_their_floats(numbers: np.ndarray) -> None:
    ordered = numbers[np.argsort(keys_of(numbers), kind="stable")]
    assert np.array_equal(ordered, np.sort(numbers), equal_nan=True)
    assert len(np.unique(keys_of(numbers))) == len(np.unique(numbers))


@given(st.one_of(FLOATS, INTEGERS), st.randoms(use_true_random=False))
def test_both_kinds_are_sorted(numbers: np.ndarray, random) -> None:
    is_second = np.array([random.random() < 0.5 for _ in numbers], bool)
    first, second = sorted_keys(numbers, lambda rows: is_second[rows]).kinds
    assert np.array_equal(first, np.sort(keys_of(numbers[~is_second])))
    assert np.array_equal(second, np.sort(keys_of(numbers[is_second])))


@pytest.mark.parametrize("spread", [0, 1, 40, 10**6, 10**18])
def test_many_rows_go_through_all_buckets(spread: int) -> None:
    random = np.random.default_rng(0)
    numbers = random.integers(-spread, spread + 1, MANY)
    ordered = sorted_keys(numbers)
    assert np.array_equal(ordered.keys, np.sort(keys_of(numbers)))
    assert np.array_equal(np.concatenate([run for run, _ in ordered.runs]), ordered.keys)


def test_rows_that_the_sample_misses_are_sorted_too() -> None:
    numbers = np.random.default_rng(0).random(MANY)
    numbers[:: MANY // (1 << 12)] = 2
    assert np.array_equal(sorted_keys(numbers).keys, np.sort(keys_of(numbers)))


def test_one_number_that_stands_twice_among_many() -> None:
    numbers = np.random.default_rng(0).permutation(MANY) * 1000 - 10**7
    assert are_unique(numbers)
    assert are_unique(np.sort(numbers))
    for row in (0, ROWS_AT_ONCE, MANY - 2):
        repeated = numbers.copy()
        repeated[-1] = repeated[row]
        assert not are_unique(repeated)
        assert not are_unique(np.sort(repeated))


def test_unsigned_numbers_and_none_at_all() -> None:
    assert are_unique(np.array([2**64 - 1, 0, 2**63], np.uint64))
    assert not are_unique(np.array([7, 0, 7], np.uint8))
    assert are_unique(np.array([], np.int64))


@given(hnp.arrays(float, 40, elements=st.sampled_from([-1, -0.0, 0.0, 0.25, 1, np.inf])))
def test_area_is_the_share_of_right_pairs(scores: np.ndarray) -> None:
    truth = np.arange(40) % 3 == 0
    pairs = [(high > low) + (high == low) / 2 for high in scores[truth] for low in scores[~truth]]
    assert roc_auc(truth, scores) == pytest.approx(sum(pairs) / len(pairs))


def test_area_of_many_rows() -> None:
    # Every value stands once in either class, so half of all pairs are right; then a tie is won.
    scores = np.tile(np.arange(MANY, dtype=float), 2)
    truth = np.arange(2 * MANY) >= MANY
    assert roc_auc(truth, scores) == 0.5
    scores[-1] += 1
    assert roc_auc(truth, scores) == (MANY * MANY + 1) / 2 / (MANY * MANY)
