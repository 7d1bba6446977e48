"""Our own draw is scikit-learn's, to the last row."""

from __future__ import annotations

import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from mlebench.errors import DataError
from mlebench.tables import split_positions, split_rows, split_sorted_groups


@pytest.mark.parametrize("count", [2, 3, 10, 1000, 10_007])
@pytest.mark.parametrize("test_size", [0.1, 0.19, 0.2, 0.25, 0.5, 1 / 3, 1, 0.999 / 2])
@pytest.mark.parametrize("seed", [0, 42])
def test_positions_are_those_of_scikit_learn(count: int, test_size: float | int, seed: int) -> None:
    expected = train_test_split(range(count), test_size=test_size, random_state=seed)
    train, test = split_positions(count, test_size=test_size, seed=seed)
    assert [train.tolist(), test.tolist()] == expected
    assert split_rows(list(range(count)), test_size=test_size, seed=seed) == tuple(expected)


@pytest.mark.parametrize(("count", "test_size"), [(10, 10), (1, 0.5), (5, 9914), (0, 0.1)])
def test_too_few_rows_are_the_fault_of_the_data(count: int, test_size: float | int) -> None:
    with pytest.raises(DataError, match="too few"):
        split_positions(count, test_size=test_size)


def test_sorted_groups_are_laid_end_to_end_as_drawn() -> None:
    frame = pd.DataFrame({"group": list("cabcabd"), "row": range(7)})
    drawn = train_test_split(list("abcd"), test_size=0.5, random_state=0)
    parts = split_sorted_groups(frame, "group", test_size=0.5)
    for groups, part in zip(drawn, parts, strict=True):
        rows = {"a": [1, 4], "b": [2, 5], "c": [0, 3], "d": [6]}
        assert part["row"].tolist() == [row for group in groups for row in rows[group]]
