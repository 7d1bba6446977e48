"""The slurm executor against real daemons: nothing is lost, nothing is run or graded twice."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.agents.registry import find_agent
from mlebench.errors import SandboxError, UsageError
from mlebench.runner import slurm
from mlebench.runner.slurm import run_slurm
from mlebench.runner.statuses import read_records
from tests.runner.conftest import Start
from tests.runner.slurm_cluster import slurm_cluster, wait_for
from tests.runner.test_resume import finished_once
from tests.runner.witness import Gate, Witness, overheads, run_at_once, shared_gpus

pytestmark = [pytest.mark.long, pytest.mark.timeout(420)]


def test_two_hundred_runs_survive_a_node_that_dies_and_comes_back(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, witness: Witness
) -> None:
    monkeypatch.setattr(slurm, "QUEUE_SECONDS", 2.0)
    count = 200
    with slurm_cluster(tmp_path / "slurm", monkeypatch) as cluster:
        group, work = start(find_agent("dummy"), seeds=count)
        work = replace(work, open_model=witness)
        killed = back = False

        def disturb() -> None:
            nonlocal killed, back
            done = sum(run.is_final for run in read_records(group))
            if not killed and done >= count // 10:
                cluster.kill_node("n1")
                killed = True
            elif killed and not back and done >= count // 2:
                cluster.start_node("n1")
                back = True

        run_slurm(work, jobs=2, options={}, on_change=disturb)
        assert killed and back
    finished_once(group, count)
    lines = witness.all_lines()
    assert run_at_once(lines) == []
    clock, processor = map(statistics.median, overheads(lines))
    print(f"between two agents {clock:.3f} s on the clock, {processor:.3f} s of processor time")


def test_jobs_go_on_without_the_command_that_submitted_them(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with slurm_cluster(tmp_path / "slurm", monkeypatch):
        group, work = start(find_agent("dummy"), seeds=6)
        words = [sys.executable, "-m", "mlebench", "resume", str(group.path), "--executor", "slurm"]
        data = ["--data-dir", str(work.catalogue.get_data_dir()), "-j", "1"]
        command = subprocess.Popen([*words, *data], stderr=subprocess.DEVNULL)
        name = slurm._job_name(work)
        wait_for(lambda: slurm._jobs_in_queue(name) == 1, 150)
        command.send_signal(signal.SIGKILL)
        command.wait()
        wait_for(lambda: all(run.is_final for run in read_records(group)), 200)
        # Nothing is left to do, and no second job is submitted.
        run_slurm(work, jobs=1, options={})
    finished_once(group, 6)


def test_runs_queue_for_gpus(
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    witness: Witness,
    two_gpus: None,
) -> None:
    """Slurm grants both nodes the GPU with the same number: the machine's leases decide."""
    monkeypatch.setattr(slurm, "QUEUE_SECONDS", 2.0)
    with slurm_cluster(tmp_path / "slurm", monkeypatch):
        group, work = start(find_agent("dummy"), seeds=8, gpus=1, sandbox="process")
        run_slurm(replace(work, open_model=witness), jobs=3, options={})
    finished_once(group, 8)
    lines = witness.all_lines()
    assert {len(line["gpus"]) for line in lines} == {1}
    assert shared_gpus(lines) == []


@pytest.mark.parametrize("how", [["--signal=KILL", "--full"], []])
def test_a_cancelled_job_is_replaced(
    how: list[str], start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm, "QUEUE_SECONDS", 1.0)
    gate = Gate(tmp_path)
    with slurm_cluster(tmp_path / "slurm", monkeypatch):
        group, work = start(find_agent("dummy"), seeds=4)
        name = slurm._job_name(work)

        def cancel() -> None:
            if gate.is_reached() and not gate.is_open():
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
