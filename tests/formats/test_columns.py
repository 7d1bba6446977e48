"""Work on columns, some rows at a time."""

import numpy as np
import pytest

from mlebench.formats.columns import FEW_CELLS, as_matrix, holds, some_rows

MANY = FEW_CELLS + 3


@pytest.mark.parametrize("rows", [0, 1, 5, MANY])
def test_columns_of_several_kinds_become_a_matrix(rows: int) -> None:
    columns = [np.arange(rows), np.arange(rows) % 2 == 0, np.arange(rows) / 4]
    matrix = as_matrix(columns, np.dtype(float))
    assert matrix.dtype == float
    assert np.array_equal(matrix, np.column_stack(columns))
    picked = np.arange(rows)[::-3]
    assert np.array_equal(some_rows(matrix, picked), matrix[picked])


def test_a_column_of_the_wanted_type_is_not_copied() -> None:
    column = np.arange(5.0)
    assert np.shares_memory(as_matrix([column], np.dtype(float)), column)
    assert not np.shares_memory(as_matrix([column], np.dtype(int)), column)


@pytest.mark.parametrize("rows", [1, 5, MANY])
def test_one_row_is_enough_to_break_a_rule(rows: int) -> None:
    one, other = np.arange(rows), np.arange(rows)
    assert holds(lambda a, b: (a == b).all(), one, other)
    other[-1] = -1
    assert not holds(lambda a, b: (a == b).all(), one, other)


def test_a_rule_holds_where_there_is_nothing() -> None:
    assert holds(lambda rows: rows.max() < 0, np.array([]))
