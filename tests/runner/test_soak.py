"""Memory and open files of the harness stay bounded over days: a fake clock, real processes."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from msgspec import structs

from mlebench.agents.base import AgentPackage
from mlebench.agents.registry import find_agent
from mlebench.cli import running
from mlebench.records.group import Launch
from mlebench.records.run import read_run, write_run
from mlebench.runner import lease as lease_module
from mlebench.runner import notify, statuses
from mlebench.runner.lease import leased
from mlebench.runner.notify import Notifier
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import GroupWatch
from mlebench.runner.tools import open_tools
from tests.runner.conftest import Start
from tests.runner.witness import SLEEP
from tests.waiting import wait_for

pytestmark = [pytest.mark.long, pytest.mark.timing]
DAY = 86_400
MEGABYTE = 1 << 20


class Held:
    """What a process holds: memory, descriptors, threads."""

    def __init__(self) -> None:
        process = psutil.Process()
        self.memory = process.memory_info().rss
        self.descriptors = process.num_fds()
        self.threads = threading.active_count()
        self.children = len(process.children(recursive=True))

    def is_bounded_by(self, later: Held, megabytes: float) -> None:
        assert later.memory - self.memory < megabytes * MEGABYTE
        assert later.descriptors <= self.descriptors
        assert later.threads <= self.threads
        assert later.children <= self.children


def test_a_worker_holds_no_more_after_many_runs(start: Start) -> None:
    group, work = start(find_agent("dummy"), seeds=60)
    ids = [run.run_id for run in group.plan.runs]
    with open_tools(work) as tools:
        for run_id in ids[:20]:
            assert execute_run(group, run_id, tools)
        early = Held()
        for run_id in ids[20:]:
            assert execute_run(group, run_id, tools)
        early.is_bounded_by(Held(), megabytes=8)


def test_three_days_of_heartbeats(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    group, _ = start(find_agent("dummy"))
    run = group.run(group.plan.runs[0].run_id)
    wanted = 3 * DAY / lease_module.BEAT_SECONDS
    beats = itertools.count()
    many = threading.Event()
    utime = os.utime

    def count(*arguments: Any) -> None:
        utime(*arguments)
        if next(beats) > wanted:
            many.set()

    monkeypatch.setattr(lease_module, "BEAT_SECONDS", 0)
    monkeypatch.setattr(lease_module.os, "utime", count)
    early = Held()
    with leased(run) as lease:
        assert lease and many.wait(200)
        assert not lease.is_lost
    wait_for(lambda: threading.active_count() <= early.threads, 60)
    early.is_bounded_by(Held(), megabytes=4)


def test_two_days_of_watching(
    start: Start, write_agent: Callable[[str], AgentPackage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look each second, a record that changes each minute, and one real agent that runs on."""
    clock = SimpleNamespace(now=0.0)
    clock.monotonic = lambda: clock.now
    monkeypatch.setattr(statuses, "time", clock)
    monkeypatch.setattr(notify, "time", clock)
    launch = Launch(notify_command="true")
    group, work = start(write_agent(SLEEP), seeds=3, launch=launch, hours=24.0)
    monkeypatch.setattr(running, "note", lambda text: None)
    others = [group.run(run.run_id).state for run in group.plan.runs[1:]]
    with open_tools(work) as tools, Notifier(group) as notifier:
        run_id = group.plan.runs[0].run_id
        thread = threading.Thread(target=execute_run, args=(group, run_id, tools))
        thread.start()
        wait_for(lambda: read_run(group.run(run_id).state).state == "running", 60)
        watch = GroupWatch(group)
        show = running.plain_lines(watch)
        early = Held()
        for second in range(2 * DAY):
            clock.now = float(second)
            if second % 60 == 0:
                file = others[second // 60 % 2]
                changed = structs.replace(read_run(file), reason=f"waits since {second} s")
                write_run(changed, file)
            show()
            notifier.look(watch.runs)
            if second == DAY // 10:
                early = Held()
        late = Held()
        (group.path / "cancelled").touch()
        thread.join(60)
    early.is_bounded_by(late, megabytes=4)
    assert {run.state for run in watch.runs} == {"running", "planned"}
