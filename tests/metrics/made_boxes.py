"""Boxes for tests of what compares them."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from mlebench.metrics.boxes import Boxes


def boxes(*rows: tuple, row_count: int = 3, width: int = 5) -> Boxes:
    """Row, label, confidence and place of each box."""
    shape = len(rows), -1 if rows else width
    numbers = np.array([row[2:] for row in rows], dtype=float).reshape(shape)
    heads = np.array([row[:2] for row in rows], dtype=int).reshape(-1, 2)
    return Boxes(heads[:, 0], heads[:, 1], numbers, row_count)


def rows_of(width: int, confidences: st.SearchStrategy[float]) -> st.SearchStrategy[list[tuple]]:
    """Boxes of few rows, classes and places, so that many meet."""
    place = st.tuples(*[st.integers(0, 3)] * width)
    head = st.tuples(st.integers(0, 2), st.integers(0, 2), confidences)
    return st.lists(st.builds(tuple.__add__, head, place), max_size=30)


some = st.sampled_from([0.1, 0.5, 0.9])


def ranked(predicted: list[tuple], row: int, label: int) -> list[int]:
    """The predictions of a row and class by falling confidence; what is no number comes last."""
    own = [k for k, box in enumerate(predicted) if box[:2] == (row, label)]
    return sorted(own, key=lambda k: math.inf if math.isnan(predicted[k][2]) else -predicted[k][2])
