"""How far runs are: statuses instead of texts, and waiting that costs little."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec import structs

from mlebench.records import group as group_records
from mlebench.records.lease import LeaseRecord, encode_lease
from mlebench.records.run import read_run, write_run
from mlebench.runner import statuses
from mlebench.runner.plan import PlannedGroup, open_group
from mlebench.runner.statuses import GroupWatch, count_states, read_runs, unfinished
from tests.results.made_runs import make_group

IDS = ["spaceship-titanic", "leaf-classification"]


@pytest.fixture
def group(tmp_path: Path) -> PlannedGroup:
    outcomes = ["gold", "running", "planned", "damaged"]
    return open_group(make_group(tmp_path, "aide", IDS, seeds=2, outcomes=outcomes, slim=True))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs whose record was read."""
    found: list[str] = []

    def noted(path: Path) -> object:
        found.append(path.parent.name)
        return read_run(path)

    monkeypatch.setattr(statuses, "read_run", noted)
    return found


def test_every_planned_run_has_a_status(group: PlannedGroup) -> None:
    runs = list(read_runs(group))
    assert [run.planned for run in runs] == list(group.plan.runs)
    assert [run.state for run in runs] == ["finished", "stopped", "planned", "damaged"]
    assert [run.is_final for run in runs] == [True, False, False, False]
    assert [run.record is None for run in runs] == [False, False, False, True]
    assert "run.json is damaged" in str(runs[3].problem)
    assert count_states(runs) == {"finished": 1, "stopped": 1, "planned": 1, "damaged": 1}
    assert list(unfinished(group)) == [run.run_id for run in group.plan.runs[1:3]]


def test_unfinished_runs_are_looked_at_one_by_one(group: PlannedGroup, reads: list[str]) -> None:
    first = next(unfinished(group))
    assert reads == [run.run_id for run in group.plan.runs[:2]]
    assert first == reads[-1]


def test_a_watch_reads_what_changed_and_nothing_that_is_over(
    group: PlannedGroup, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statuses, "time", SimpleNamespace(monotonic=lambda: 100.0))
    watch = GroupWatch(group)
    assert [run.state for run in watch.refresh()] == ["finished", "stopped", "planned", "damaged"]
    assert len(reads) == 4
    assert watch.refresh(is_forced=True) == []
    assert len(reads) == 4, "nothing changed"
    finished, running, *_ = group.plan.runs
    for planned in (finished, running):
        file = group.run(planned.run_id).state
        write_run(structs.replace(read_run(file), state="failed"), file)
    assert watch.refresh() == [], "a look so soon costs nothing"
    changed = watch.refresh(is_forced=True)
    assert [(run.planned, run.state) for run in changed] == [(running, "failed")]
    assert reads[4:] == [running.run_id], "a run that was over is never looked at again"
    assert count_states(watch.runs) == {"finished": 1, "failed": 1, "planned": 1, "damaged": 1}


def test_a_run_is_running_while_the_process_with_its_lease_lives(group: PlannedGroup) -> None:
    running = group.run(group.plan.runs[1].run_id)
    program = f"""
import sys
from pathlib import Path
from mlebench.records.folders import RunFolder
from mlebench.runner.lease import leased
with leased(RunFolder(Path({str(running.path)!r}))) as is_ours:
    print(bool(is_ours), flush=True)
    sys.stdin.read()
"""
    worker = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert worker.stdout and worker.stdout.readline() == b"True\n"
        watch = GroupWatch(group)
        watch.refresh()
        assert watch.runs[1].state == "running"
        worker.kill()
        worker.wait()
        assert [run.state for run in watch.refresh(is_forced=True)] == ["stopped"]
    finally:
        worker.kill()
        worker.communicate()


def test_a_worker_elsewhere_lives_as_long_as_it_touches_its_lease(group: PlannedGroup) -> None:
    lease = group.run(group.plan.runs[1].run_id).lease
    lease.write_bytes(encode_lease(LeaseRecord(host="another-machine", pid=1)))
    assert list(read_runs(group))[1].state == "running"
    os.utime(lease, (0, 0))
    assert list(read_runs(group))[1].state == "stopped"


def test_the_plan_is_not_read_while_waiting(
    group: PlannedGroup, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("the plan was read again")

    monkeypatch.setattr(group_records, "_hash", refuse)
    group.metadata.unlink()
    watch = GroupWatch(group)
    watch.refresh()
    assert len(watch.runs) == 4
    assert len(list(unfinished(group))) == 2


def test_runs_that_are_known_to_be_over_are_not_read_again(group: PlannedGroup) -> None:
    known = list(read_runs(group))
    over = [run.planned.run_id for run in known if run.is_final]
    assert over
    for run_id in over:
        group.run(run_id).state.unlink()
    watch = GroupWatch(group, known)
    watch.refresh(is_forced=True)
    assert [run.state for run in watch.runs] == [run.state for run in known]
    left = {run.planned.run_id for run in known} - {*over}
    assert set(unfinished(group, left)) <= left
    first = next(unfinished(group))
    assert list(unfinished(group, {first})) == [first]
