"""Killed harnesses, lost nodes: resume does exactly the missing steps and nothing stays behind."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from msgspec import structs

from mlebench.agents.registry import find_agent
from mlebench.records.folders import GroupFolder
from mlebench.records.ledger import read_ledger
from mlebench.records.run import read_run, write_run
from mlebench.runner.executors.local import run_local
from mlebench.runner.lease import leased
from mlebench.runner.plan import PlannedGroup
from mlebench.runner.statuses import read_records
from tests.runner.conftest import Start
from tests.runner.witness import Gate
from tests.waiting import wait_for


def finished_once(group: PlannedGroup, count: int) -> None:
    """Every run is finished, and graded exactly once."""
    runs = read_records(group)
    assert len(runs) == count
    assert {run.state for run in runs} == {"finished"}
    assert all(run.score is not None for run in runs)
    ledger = read_ledger(group.ledger)
    assert sorted(entry.run_id for entry in ledger.entries) == sorted(run.run_id for run in runs)
    assert ledger.problems == ()


def processes_of(group: GroupFolder) -> list[str]:
    """Command lines of living processes that belong to a group's sandboxes."""
    found = []
    mounted = "/".join(group.path.parts[-3:])  # the beginning may be a mount point
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                is_inside = mounted in (entry / "mountinfo").read_text()
            except OSError:
                continue
            if is_inside or str(group.path) in line:
                found.append(line)
    return found


@pytest.mark.long
@pytest.mark.timeout(600)
def test_r01_killed_at_thirty_random_moments(start: Start, sandbox: str, gate: Gate) -> None:
    if sandbox != "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    group, work = start(find_agent("dummy"), seeds=20)
    work = replace(work, open_model=gate)
    moments = random.Random(7)
    for number in range(30):
        # However quick the machine is, there is a run to be killed.
        gate.allow(number * 20 // 30)
        harness = get_context("spawn").Process(target=run_local, args=(work,), kwargs={"jobs": 2})
        harness.start()
        time.sleep(moments.uniform(0.2, 3.5))
        harness.kill()
        harness.join()
    gate.open()
    run_local(work, jobs=2)
    finished_once(group, 20)
    wait_for(lambda: processes_of(group) == [], 60)


@pytest.mark.long
@pytest.mark.parametrize("state", ["planned", "starting", "running", "collecting", "grading"])
def test_r01_every_state_is_taken_up(state: str, start: Start, sandbox: str) -> None:
    if sandbox != "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    group, work = start(find_agent("dummy"))
    run_local(work, jobs=1)
    (before,) = read_records(group)
    # As a harness leaves it that was killed in this state, before the grading was written down.
    folder = group.run(before.run_id)
    group.ledger.unlink()
    folder.report.unlink()
    write_run(structs.replace(before, state=state, score=None), folder.state)
    run_local(work, jobs=1)
    finished_once(group, 1)
    after = read_run(folder.state)
    assert after.score == before.score
    assert after.attempt == (1 if state in ("collecting", "grading") else 2)


@pytest.mark.parametrize("is_in_ledger", [True, False])
def test_r01_killed_while_a_grading_is_written_down(
    is_in_ledger: bool, start: Start, sandbox: str
) -> None:
    if sandbox != "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    group, work = start(find_agent("dummy"))
    run_local(work, jobs=1)
    (before,) = read_records(group)
    folder = group.run(before.run_id)
    report = folder.report.read_bytes()
    if not is_in_ledger:
        group.ledger.unlink()
    write_run(structs.replace(before, state="grading", score=None, medal=None), folder.state)
    run_local(work, jobs=1)
    finished_once(group, 1)
    # Only the fencing token tells that another worker had it.
    assert read_run(folder.state) == structs.replace(before, fence=before.fence + 1)
    # What is in the ledger is adopted, not graded again.
    assert (folder.report.read_bytes() == report) == is_in_ledger


def test_r02_two_workers_never_have_one_run(start: Start) -> None:
    group, _ = start(find_agent("dummy"))
    (run,) = read_records(group)
    folder = group.run(run.run_id)
    with leased(folder) as first, leased(folder) as second:
        assert first and not second
    with leased(folder) as again:
        assert again and again.token == first.token + 1
