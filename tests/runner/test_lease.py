"""Leases: one holder at a time, also between machines whose locks do not reach each other."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType, SimpleNamespace

import pytest
from msgspec import structs

from mlebench.agents.registry import find_agent
from mlebench.records.folders import RunFolder
from mlebench.records.lease import LeaseRecord, encode_lease, read_lease
from mlebench.records.ledger import read_ledger
from mlebench.records.run import read_run, write_run
from mlebench.runner import lease as lease_module
from mlebench.runner.lease import leased
from mlebench.runner.run import Execution, execute_run
from mlebench.runner.tools import open_tools
from tests.runner.conftest import Start
from tests.waiting import wait_for


@pytest.fixture
def run(start: Start) -> RunFolder:
    group, _ = start(find_agent("dummy"))
    return group.run(group.plan.runs[0].run_id)


def put_elsewhere(run: RunFolder, token: int = 7, age: float = 0) -> None:
    """A lease that a worker on another machine has, renewed `age` seconds ago."""
    run.lease.write_bytes(encode_lease(LeaseRecord("another-machine", 1, token=token)))
    os.utime(run.lease, (time.time() - age,) * 2)


def test_a_run_of_another_machine_is_left_alone_while_it_is_renewed(run: RunFolder) -> None:
    put_elsewhere(run, age=lease_module.SILENCE_SECONDS - 20)
    with leased(run) as lease:
        assert lease is None
    assert read_lease(run.lease).host == "another-machine"


def test_a_silent_machine_loses_its_run_to_a_higher_token(run: RunFolder) -> None:
    put_elsewhere(run, token=7, age=lease_module.SILENCE_SECONDS + 5)
    with leased(run) as lease:
        assert lease and lease.token == 8


def test_the_clock_of_the_file_system_decides(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_elsewhere(run)
    monkeypatch.setattr(time, "time", lambda: 4e9)
    with leased(run) as lease:
        assert lease is None


def test_of_two_machines_without_common_locks_one_gets_the_run(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All see a silent lease at the same moment, and no kernel lock stops them."""
    put_elsewhere(run, token=3, age=lease_module.SILENCE_SECONDS + 5)
    monkeypatch.setattr(lease_module.fcntl, "flock", lambda *args: None)
    name = threading.local()
    monkeypatch.setattr(lease_module.platform, "node", lambda: name.value)
    all_looked = threading.Barrier(8)
    is_alive = lease_module._is_alive

    def look_together(*args: object) -> bool:
        answer = is_alive(*args)  # type: ignore[arg-type]
        if not hasattr(name, "looked"):
            name.looked = True
            all_looked.wait(60)
        return answer

    monkeypatch.setattr(lease_module, "_is_alive", look_together)
    tokens: list[int | None] = []
    done = threading.Barrier(8)

    def take(number: int) -> None:
        name.value = f"node-{number}"
        with leased(run) as lease:
            tokens.append(lease and lease.token)
            done.wait(60)

    threads = [threading.Thread(target=take, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(tokens, key=str) == [4, *[None] * 7]


def test_a_claim_that_a_crash_left_on_this_machine_does_not_delay(run: RunFolder) -> None:
    record = LeaseRecord(lease_module.platform.node(), 1, token=1)
    (run.path / "claim-1").write_bytes(encode_lease(record))
    with leased(run) as lease:
        assert lease and lease.token == 1
    assert not list(run.path.glob("claim-*"))


def test_killed_at_any_line_a_worker_leaves_a_run_that_can_be_taken(run: RunFolder) -> None:
    line = 0
    while was_killed_at(run, line):
        with leased(run) as lease:
            assert lease, f"killed at line {line} of those that were executed"
        line += 1
    assert line > 30
    assert not list(run.path.glob("claim-*"))


def was_killed_at(run: RunFolder, line: int) -> bool:
    """Take a run in a child process that is killed before the given line of the module."""
    child = os.fork()
    if child == 0:
        left = line

        def trace(frame: FrameType, event: str, argument: object) -> object:
            nonlocal left
            if frame.f_code.co_filename != lease_module.__file__:
                return None
            if event == "line":
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
            return trace

        sys.settrace(trace)
        with leased(run):
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def test_a_file_system_without_hard_links(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    with leased(run) as lease:
        assert lease and lease.token == 1
    (run.path / "claim-2").write_bytes(encode_lease(LeaseRecord("another-machine", 1, token=2)))
    with leased(run) as lease:
        assert lease is None


def test_a_holder_that_cannot_renew_its_lease_knows_that_it_is_lost(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(lease_module, "_since_boot", lambda: clock.now)
    monkeypatch.setattr(lease_module, "BEAT_SECONDS", 0.01)
    with leased(run) as lease:
        assert lease
        clock.now += 10 * lease_module.HOLD_SECONDS
        wait_for(lambda: not lease.is_lost)  # It was renewed at this time.
        monkeypatch.setattr(lease_module.os, "utime", _no_answer)
        clock.now += lease_module.HOLD_SECONDS - 1
        assert not lease.is_lost
        clock.now += 2
        assert lease.is_lost


def _no_answer(path: Path) -> None:
    raise OSError("the file server does not answer")


def test_an_agent_ends_soon_after_its_run_was_given_away(
    start: Start, write_agent: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that comes back: its agent ends, and it writes neither record nor grading."""
    monkeypatch.setattr(lease_module, "BEAT_SECONDS", 0.05)
    agent = write_agent("sleep 60\n")  # type: ignore[operator]
    group, work = start(agent)
    run = group.run(group.plan.runs[0].run_id)
    results: list[object] = []
    with open_tools(work) as tools:
        late = threading.Thread(
            target=lambda: results.append(execute_run(group, run.path.name, tools))
        )
        late.start()
        wait_for(lambda: read_run(run.state).state == "running")
        taken = structs.replace(read_run(run.state), fence=9, attempt=5)
        write_run(taken, run.state)
        put_elsewhere(run, token=9)
        late.join(120)
    assert results == [None]
    assert read_run(run.state) == taken
    assert not read_ledger(group.ledger).entries
    assert read_lease(run.lease).token == 9


def test_a_grading_is_not_recorded_by_a_worker_that_was_fenced_meanwhile(start: Start) -> None:
    group, work = start(find_agent("dummy"))
    run = group.run(group.plan.runs[0].run_id)
    with open_tools(work) as tools, leased(run) as lease:
        assert lease
        execution = Execution(group, run, tools, lease)
        grade = tools.grading.grade

        def graded_slowly(submission: object) -> object:
            result = grade(submission)  # type: ignore[arg-type]
            write_run(structs.replace(read_run(run.state), fence=99), run.state)
            return result

        object.__setattr__(tools.grading, "grade", graded_slowly)
        assert execution.complete() is None
    assert not read_ledger(group.ledger).entries
    assert not run.report.exists()
