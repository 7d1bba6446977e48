"""Which boxes are compared, and which become matches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.metrics import boxes as boxes_module
from mlebench.metrics.boxes import (
    group_keys,
    pairs_with_equal_keys,
    positions_in_group,
    take_first_free,
)
from tests.metrics.made_boxes import boxes

keys = st.lists(st.integers(0, 4), max_size=20)


@given(keys, keys, st.integers(1, 9))
def test_pairs_are_those_of_a_plain_loop(some: list[int], others: list[int], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boxes_module, "PAIRS_AT_ONCE", at_once)
        blocks = list(pairs_with_equal_keys(np.array(some, int), np.array(others, int)))
    found = [pair for block in blocks for pair in zip(*map(np.ndarray.tolist, block), strict=True)]
    assert found == [
        (i, j) for i, one in enumerate(some) for j, other in enumerate(others) if one == other
    ]
    # No position has its pairs in two blocks.
    positions = [set(block[0].tolist()) for block in blocks]
    assert sum(map(len, positions)) == len(set().union(*positions))


def test_keys_are_equal_for_equal_row_and_class() -> None:
    true = boxes((0, 7, 1, 0), (1, -5, 1, 0), row_count=2)
    found = boxes((1, 7, 1, 0), (0, 7, 1, 0), (1, -5, 1, 0), (1, 9, 1, 0), row_count=2)
    (first, second), keys = group_keys(true, found)
    assert (keys == first).tolist() == [False, True, False, False]
    assert (keys == second).tolist() == [False, False, True, False]
    with pytest.raises(ValueError, match="2 rows are predicted, 3 are true"):
        group_keys(boxes(row_count=3), found)


def test_rows_in_another_order() -> None:
    some = boxes((0, 7, 1, 0), (2, 8, 1, 0), (2, 9, 1, 0))
    assert some[np.array([2, 0, 1])].rows.tolist() == [1, 0, 0]
    assert some[:].rows.tolist() == [0, 2, 2]


def test_positions_in_groups() -> None:
    assert positions_in_group(np.array([1, 1, 4, 5, 5, 5])).tolist() == [1, 2, 1, 1, 2, 3]
    assert positions_in_group(np.array([], int)).tolist() == []


def test_each_taker_gets_its_first_free_target() -> None:
    is_taken = np.zeros(4, bool)
    # The second taker finds its first choice taken, the third both.
    takers, targets = np.array([0, 0, 1, 1, 2, 2]), np.array([1, 0, 1, 2, 1, 2])
    assert take_first_free(takers, targets, is_taken).tolist() == [0, 3]
    assert take_first_free(np.array([3, 3]), np.array([2, 3]), is_taken).tolist() == [1]
    assert is_taken.tolist() == [False, True, True, True]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=15))
def test_matches_are_those_of_a_plain_loop(pairs: list[tuple[int, int]]) -> None:
    pairs.sort(key=lambda pair: pair[0])
    matches: dict[int, int] = {}
    expected = []
    for k, (taker, target) in enumerate(pairs):
        if taker not in matches and target not in matches.values():
            matches[taker] = target
            expected.append(k)
    takers, targets = np.array(pairs, int).reshape(-1, 2).T
    is_taken = np.zeros(6, bool)
    assert take_first_free(takers, targets, is_taken).tolist() == expected
    assert np.flatnonzero(is_taken).tolist() == sorted(matches.values())
