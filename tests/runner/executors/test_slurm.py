"""The slurm executor against real daemons: nothing is lost, nothing is run or graded twice."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.agents.base import AgentPackage
from mlebench.agents.registry import find_agent
from mlebench.errors import SandboxError, UsageError
from mlebench.runner.executors import slurm
from mlebench.runner.executors.slurm import run_slurm
from mlebench.runner.statuses import read_records
from tests.runner.conftest import Start
from tests.runner.slurm_cluster import slurm_cluster
from tests.runner.test_resume import finished_once
from tests.runner.witness import (
    COPY_SAMPLE,
    SLEEP,
    Gate,
    asleep,
    overheads,
    run_at_once,
    shared_gpus,
    wake,
)
from tests.waiting import wait_for

pytestmark = [pytest.mark.long, pytest.mark.timing, pytest.mark.timeout(420)]


def test_two_hundred_runs_survive_a_node_that_dies_and_comes_back(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    monkeypatch.setattr(slurm, "QUEUE_SECONDS", 2.0)
    count = 200
    with slurm_cluster(tmp_path / "slurm", monkeypatch) as cluster:
        group, work = start(find_agent("dummy"), seeds=count)
        # Later runs wait until the node is killed, and until it is back.
        events = [(20, lambda: cluster.kill_node("n1")), (100, lambda: cluster.start_node("n1"))]
        gate.allow(30)

        def disturb() -> None:
            done = sum(run.is_final for run in read_records(group))
            if events and done >= events[0][0]:
                events.pop(0)[1]()
                gate.allow(110 if events else count)

        run_slurm(replace(work, open_model=gate), jobs=2, options={}, on_change=disturb)
        assert not events
    finished_once(group, count)
    lines = gate.all_lines()
    assert run_at_once(lines) == []
    clock, processor = map(statistics.median, overheads(lines))
    print(f"between two agents {clock:.3f} s on the clock, {processor:.3f} s of processor time")


def test_jobs_go_on_without_the_command_that_submitted_them(
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write_agent: Callable[[str], AgentPackage],
) -> None:
    with slurm_cluster(tmp_path / "slurm", monkeypatch):
        held = f"[ $MLEBENCH_SEED != 0 ] || {SLEEP}\n"
        group, work = start(write_agent(held + COPY_SAMPLE), seeds=6)
        words = [sys.executable, "-m", "mlebench", "resume", str(group.path), "--executor", "slurm"]
        data = ["--data-dir", str(work.catalogue.get_data_dir()), "-j", "1"]
        command = subprocess.Popen([*words, *data], stderr=subprocess.DEVNULL)
        wait_for(asleep, 150)
        command.kill()
        command.wait()
        assert slurm._jobs_in_queue(slurm._job_name(work)) == 1
        wake()
        wait_for(lambda: all(run.is_final for run in read_records(group)), 200)
        # Nothing is left to do, and no second job is submitted.
        run_slurm(work, jobs=1, options={})
    finished_once(group, 6)


def test_runs_queue_for_gpus(
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    gate: Gate,
    two_gpus: None,
) -> None:
    """Slurm grants both nodes the GPU with the same number: the machine's leases decide."""
    monkeypatch.setattr(slurm, "QUEUE_SECONDS", 2.0)
    with slurm_cluster(tmp_path / "slurm", monkeypatch):
        group, work = start(find_agent("dummy"), seeds=8, gpus=1, sandbox="process")
        held = replace(work, open_model=gate)
        run_slurm(held, jobs=3, options={}, on_change=gate.open_for(2))
    finished_once(group, 8)
    lines = gate.all_lines()
    assert {len(line["gpus"]) for line in lines} == {1}
    assert len({gpu for line in lines for gpu in line["gpus"]}) == 2
    assert shared_gpus(lines) == []


@pytest.mark.parametrize("how", [["--signal=KILL", "--full"], []])
def test_a_cancelled_job_is_replaced(
    how: list[str], start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gate: Gate
) -> None:
    monkeypatch.setattr(slurm, "QUEUE_SECONDS", 1.0)
    with slurm_cluster(tmp_path / "slurm", monkeypatch):
        group, work = start(find_agent("dummy"), seeds=4)
        name = slurm._job_name(work)

        def cancel() -> None:
            if gate.workers() and not gate.is_open():
                subprocess.run(["scancel", *how, "--name", name], check=True)
                gate.open()

        run_slurm(replace(work, open_model=gate), jobs=1, options={}, on_change=cancel)
        assert gate.is_open()
    finished_once(group, 4)


def test_a_job_without_time_for_one_run_is_refused(start: Start) -> None:
    _, work = start(find_agent("dummy"), hours=2.0)
    with pytest.raises(UsageError, match="at least 123 minutes"):
        run_slurm(work, jobs=1, options={"time": "60"})


def test_a_job_that_slurm_refuses_is_one_sentence(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with slurm_cluster(tmp_path / "slurm", monkeypatch):
        _, work = start(find_agent("dummy"))
        with pytest.raises(UsageError, match="Invalid partition name"):
            run_slurm(work, jobs=1, options={"partition": "gold"})


def test_slurm_without_its_programs(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    _, work = start(find_agent("dummy"))
    monkeypatch.setitem(os.environ, "PATH", "/nonexistent")
    with pytest.raises(SandboxError, match="Slurm does not answer"):
        run_slurm(work, jobs=1, options={})
