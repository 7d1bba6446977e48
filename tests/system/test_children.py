"""Children that are replaced when they are killed."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

import pytest

from mlebench.system import children
from mlebench.system.children import run_in_child


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "RESTART_SECONDS", 0.0)


def _die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    os._exit(0)


def test_a_killed_child_is_replaced_until_one_exits() -> None:
    def work(number: int) -> NoReturn:
        if number < 2:
            _die()
        os._exit(number + 5)

    assert run_in_child(work) == 7


def test_children_that_keep_being_killed_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "MAX_RESTARTS", 2)
    assert run_in_child(lambda number: _die()) == 1
