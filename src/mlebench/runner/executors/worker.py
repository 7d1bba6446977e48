"""A worker: executes one planned run after the other, wherever it runs."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from mlebench.errors import UsageError
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import RunStatus
from mlebench.runner.tools import Work, open_tools

MAX_DEATHS = 20
"""Workers of a group that may die before it is given up; each run adds some to this number."""


def execute_all(work: Work, *, has_time: Callable[[], bool] = lambda: True) -> None:
    """Execute every run that no other worker has taken.

    Args:
        has_time: asked before each run; false ends the worker.
    """
    with open_tools(work) as tools:
        for run_id in work.unfinished():
            if not has_time():
                return
            execute_run(work.group, run_id, tools)


def workers_wanted(runs: list[RunStatus], slots: int) -> int:
    """How many workers a group can use now; 0 when every open run has one."""
    states = [run.state for run in runs if run.is_open]
    is_waiting = "planned" in states or "stopped" in states
    return min(slots, len(states)) if is_waiting else 0


def import_library(name: str, *, extra: str) -> Any:
    """The library of an executor, which is installed by the extra of the executor's name."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise UsageError(
            f"the {extra} executor needs {name}; install it: pip install 'mlebench[{extra}]'"
        ) from None
