"""Blocks are worked on side by side, and their results keep their order."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from mlebench.system.threads import on_blocks


def test_results_keep_the_order_of_the_blocks() -> None:
    assert list(on_blocks(lambda number: -number, range(100))) == [-k for k in range(100)]
    assert list(on_blocks(str, [])) == []


def test_only_a_few_blocks_are_held_at_a_time() -> None:
    taken = 0

    def blocks() -> Iterator[int]:
        nonlocal taken
        for number in range(10_000):
            taken = number
            yield number

    results = on_blocks(str, blocks(), 3)
    assert next(results) == "0"
    assert taken == 2 * 3 - 1
    assert next(results) == "1"
    assert taken == 2 * 3


def test_one_worker_needs_no_thread() -> None:
    assert set(on_blocks(lambda _: threading.get_ident(), range(9), 1)) == {threading.get_ident()}


def test_the_first_failure_in_the_order_of_blocks_is_told() -> None:
    late = threading.Event()

    def work(number: int) -> int:
        if number == 0:
            late.wait(1)
        else:
            late.set()
        raise ValueError(number)

    with pytest.raises(ValueError, match="0"):
        list(on_blocks(work, range(50)))


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one processor only")
def test_blocks_are_worked_on_side_by_side() -> None:
    both = threading.Barrier(2)
    assert sorted(on_blocks(lambda _: both.wait(10), range(2))) == [0, 1]
