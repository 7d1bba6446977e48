"""An agent that ends early is started again; the clock and the budget decide."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlebench.errors import SandboxError
from mlebench.records.run import AgentStart, ModelTotals
from mlebench.runner.continuing import Continuation, run_to_the_end, wait_seconds
from mlebench.sandbox.base import Job, Outcome, ResourceLimits, ResourceUsage
from mlebench.sandbox.mounts import scratch_job


class World:
    """A clock, a model's totals, and an agent that behaves as it is told."""

    def __init__(self, behaviour: Callable[[int], dict[str, Any]]) -> None:
        self.now = 0.0
        self.behaviour = behaviour
        self.jobs: list[Job] = []
        self.calls = 0
        self.is_spent = False
        self.is_cancelled = False
        self.slept: list[float] = []

    def run(self, job: Job) -> Outcome:
        self.jobs.append(job)
        told = {"seconds": 100.0, "code": 0, "calls": 1, "ended_by": "exit"}
        told |= self.behaviour(len(self.jobs))
        if "error" in told:
            raise SandboxError(told["error"])
        self.now += told["seconds"]
        self.calls += told["calls"]
        usage = {
            "wall_seconds": ResourceUsage(0, told["seconds"], "polled"),
            "cpus": ResourceUsage(2, told.get("cpus", 1.0), "kernel"),
            "memory_bytes": ResourceUsage(9, told.get("memory"), "kernel"),
        }
        facts = {"output_bytes": 7}
        ended = told["ended_by"]
        return Outcome(ended, told["code"], "it ended", told["seconds"], usage, facts)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def play(
        self, tmp_path: Path, seconds: float = 1000, is_wanted: bool = True
    ) -> tuple[Outcome, tuple[AgentStart, ...]]:
        continuation = Continuation(
            is_wanted=is_wanted,
            totals=lambda: ModelTotals("m", calls=self.calls, budget_spent=self.is_spent),
            is_over=lambda: self.is_cancelled,
            instructions=lambda job: f"{job.limits.wall_seconds:.0f} seconds",
            sleep=self.sleep,
            clock=lambda: self.now,
        )
        (tmp_path / "job").mkdir()
        job = scratch_job(tmp_path / "job", ["true"], ResourceLimits(seconds))
        return run_to_the_end(job, self.run, continuation)


@pytest.mark.parametrize("code", [0, 1, 137])
def test_the_clock_decides_and_not_the_exit_code(tmp_path: Path, code: int) -> None:
    world = World(lambda number: {"seconds": 300.0, "code": code})
    outcome, starts = world.play(tmp_path)
    assert [start.exit_code for start in starts] == [code] * 4
    assert [job.limits.wall_seconds for job in world.jobs] == [1000, 700, 400, 100]
    assert [job.environment.get("MLEBENCH_SECONDS") for job in world.jobs] == [
        None,
        "700",
        "400",
        "100",
    ]
    assert world.jobs[-1].environment["MLEBENCH_START"] == "4"
    assert world.jobs[-1].instructions == "100 seconds"
    assert outcome.seconds == 1200
    assert "4 starts" in outcome.reason
    assert world.slept == []


def test_an_agent_that_may_not_continue_starts_once(tmp_path: Path) -> None:
    outcome, starts = World(lambda number: {}).play(tmp_path, is_wanted=False)
    assert len(starts) == 1
    assert outcome.reason == "it ended"


@pytest.mark.parametrize("ended_by", ["time", "memory", "disk", "cancelled", "machine"])
def test_only_an_agent_that_ended_by_itself_continues(tmp_path: Path, ended_by: str) -> None:
    outcome, starts = World(lambda number: {"ended_by": ended_by}).play(tmp_path)
    assert len(starts) == 1
    assert outcome.ended_by == ended_by


def test_a_spent_budget_is_the_end(tmp_path: Path) -> None:
    def behaviour(number: int) -> dict[str, Any]:
        world.is_spent = number == 2
        return {"code": 0}

    world = World(behaviour)
    outcome, starts = world.play(tmp_path)
    assert len(starts) == 2
    assert "the budget is spent" in outcome.reason


def test_a_crash_loop_ends_after_three_starts(tmp_path: Path) -> None:
    world = World(lambda number: {"seconds": 1.0, "calls": 0, "code": 1})
    outcome, starts = world.play(tmp_path, 86400)
    assert len(starts) == 3
    assert "3 times in a row without asking the model" in outcome.reason
    assert sum(world.slept) == 2 + 4


def test_quick_ends_with_calls_go_on_more_and_more_slowly(tmp_path: Path) -> None:
    """A model that says at once that it is done: the clock decides, but nothing spins."""
    world = World(lambda number: {"seconds": 3.0, "calls": 1})
    _, starts = world.play(tmp_path, 24 * 3600)
    assert 1000 < len(starts) < 24 * 3600 / 60
    assert wait_seconds(starts[:1]) == 2
    assert wait_seconds(starts[:5]) == 32
    assert wait_seconds(starts) == 60


def test_a_fruitful_start_resets_the_count(tmp_path: Path) -> None:
    calls = {3: 1, 6: 1}
    world = World(lambda number: {"seconds": 1.0, "calls": calls.get(number, 0)})
    _, starts = world.play(tmp_path, 86400)
    assert [start.calls for start in starts] == [0, 0, 1, 0, 0, 1, 0, 0, 0]


def test_a_cancelled_run_does_not_wait(tmp_path: Path) -> None:
    world = World(lambda number: {"seconds": 1.0})

    def cancel(seconds: float) -> None:
        world.now += seconds
        world.is_cancelled = True

    world.sleep = cancel  # type: ignore[method-assign]
    _, starts = world.play(tmp_path)
    assert len(starts) == 1


def test_a_start_that_fails_later_is_not_the_machines_fault(tmp_path: Path) -> None:
    """An agent could make its folders unusable to get another attempt."""
    world = World(lambda number: {"error": "no permission"} if number == 2 else {})
    outcome, starts = world.play(tmp_path)
    assert len(starts) == 1
    assert outcome.ended_by == "exit"
    assert "could not be started again: no permission" in outcome.reason
    (tmp_path / "other").mkdir()
    with pytest.raises(SandboxError, match="no start"):
        World(lambda number: {"error": "no start"}).play(tmp_path / "other")


def test_the_record_has_the_most_of_all_starts(tmp_path: Path) -> None:
    told = {
        1: {"memory": 5.0, "cpus": 2.0, "seconds": 300.0},
        2: {"memory": 3.0, "cpus": 1.0, "seconds": 600.0},
        3: {"memory": None, "cpus": 0.5, "seconds": 90.0},
    }
    outcome, _ = World(lambda number: told[number]).play(tmp_path)
    assert outcome.usage["memory_bytes"].used == 5
    assert outcome.usage["wall_seconds"].used == 990
    assert outcome.usage["cpus"].used == pytest.approx((600 + 600 + 45) / 990)
    assert outcome.facts["output_bytes"] == 21
