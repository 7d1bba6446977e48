"""A worker is killed at any access to a file of its group: the next one completes the run."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

from mlebench.agents.registry import find_agent
from mlebench.records.ledger import read_ledger
from mlebench.runner.plan import PlannedGroup
from mlebench.runner.run import execute_run
from mlebench.runner.tools import Work, open_tools
from tests.runner.conftest import Start

FILE_EVENTS = frozenset(
    {"open", "os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.utime"}
)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_killed_before_any_access_to_a_file(start: Start) -> None:
    group, work = start(find_agent("dummy"), seeds=200, sandbox="process")
    killed = 0
    with open_tools(work) as tools:
        for number, run in enumerate(group.plan.runs):
            if not was_killed(group, work, run.run_id, number):
                break
            record = execute_run(group, run.run_id, tools)
            assert record, f"killed at access {number}"
            assert record.state == "finished"
            killed += 1
    assert 30 < killed < len(group.plan.runs)
    graded = [entry.run_id for entry in read_ledger(group.ledger).entries]
    assert sorted(graded) == sorted(run.run_id for run in group.plan.runs[: killed + 1])


def was_killed(group: PlannedGroup, work: Work, run_id: str, number: int) -> bool:
    """Execute a run in a child that is killed before or just after an access to the group."""
    child = os.fork()
    if child == 0:
        left, main, was_inside = number, threading.get_ident(), False

        def look(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left, was_inside
            if event not in FILE_EVENTS or threading.get_ident() != main:
                return
            is_inside = str(arguments[0]).startswith(str(group.path))
            left -= is_inside or was_inside
            was_inside = is_inside
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        with open_tools(work) as tools:
            sys.addaudithook(look)
            execute_run(group, run_id, tools)
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)
