"""A worker: executes one planned run after the other, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable

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
    waiting = sum(not run.is_final and not _is_taken(run) for run in runs if run.record)
    is_open = sum(not run.is_final for run in runs if run.record)
    return min(slots, is_open) if waiting else 0


def _is_taken(run: RunStatus) -> bool:
    return run.state not in ("planned", "stopped")
