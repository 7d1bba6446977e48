"""Start an agent that ended early again, in the same folders, with what is left of its time.

The clock and the budget decide, never an exit code: agents end with any code for any reason. An
agent that ends at once, several times, without asking the model will not do better next time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile

from mlebench.errors import SandboxError
from mlebench.records.run import AgentStart, ModelTotals
from mlebench.sandbox.base import IsCancelled, Job, Outcome, ResourceUsage

QUICK_SECONDS = 60.0
"""An agent that ran for less than this waits before it is started again."""

MOST_WAIT_SECONDS = 60.0
LEAST_SECONDS, LEAST_SHARE = 30.0, 0.02
"""With less time than this, or this share of all of it, nothing is started any more."""

FRUITLESS_STARTS = 3
POLL_SECONDS = 0.5

RunJob = Callable[[Job], Outcome]
Totals = Callable[[], ModelTotals | None]


@dataclass(frozen=True)
class Continuation:
    """How often a job may be started, and what it needs to know of its run."""

    is_wanted: bool
    totals: Totals
    is_over: IsCancelled
    instructions: Callable[[Job], str]
    """For a job that has less time than the first one."""

    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic


def run_to_the_end(
    job: Job, run: RunJob, continuation: Continuation
) -> tuple[Outcome, tuple[AgentStart, ...]]:
    """Run a job, repeatedly if that is wanted; returns one outcome and every start."""
    begin = continuation.clock()
    outcomes: list[Outcome] = []
    starts: list[AgentStart] = []
    calls, why = 0, ""
    while True:
        started_at = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            outcome = run(_job_for(job, len(starts) + 1, begin, continuation))
        except SandboxError as error:
            if not outcomes:
                raise
            # What an agent left in its folders must not count as a failure of the machine.
            why = f"it could not be started again: {error}"
            break
        totals = continuation.totals() if continuation.is_wanted else None
        asked = totals.calls - calls if totals else 0
        calls += asked
        outcomes.append(outcome)
        seconds = round(outcome.seconds, 3)
        starts.append(AgentStart(started_at, seconds, outcome.ended_by, outcome.exit_code, asked))
        if not continuation.is_wanted or outcome.ended_by != "exit" or continuation.is_over():
            break
        if why := _why_not_again(starts, totals):
            break
        left = job.limits.wall_seconds - (continuation.clock() - begin)
        wait = wait_seconds(starts)
        if left - wait < max(LEAST_SECONDS, LEAST_SHARE * job.limits.wall_seconds):
            break
        _pause(wait, continuation)
        if continuation.is_over():
            break
    return merged(outcomes, why), tuple(starts)


def _job_for(job: Job, number: int, begin: float, continuation: Continuation) -> Job:
    """The job of a later start: less time, and the number of the start."""
    if number == 1:
        return job
    left = max(1.0, job.limits.wall_seconds - (continuation.clock() - begin))
    changed = {"MLEBENCH_SECONDS": f"{left:g}", "MLEBENCH_START": str(number)}
    again = replace(
        job,
        limits=replace(job.limits, wall_seconds=left),
        environment={**job.environment, **changed},
    )
    return replace(again, instructions=continuation.instructions(again))


def _why_not_again(starts: Sequence[AgentStart], totals: ModelTotals | None) -> str:
    """Why another start would be pointless; empty if it may help."""
    if totals and totals.budget_spent:
        return "the budget is spent"
    last = starts[-FRUITLESS_STARTS:]
    if len(last) == FRUITLESS_STARTS and all(map(is_fruitless, last)):
        return f"it ended at once {FRUITLESS_STARTS} times in a row without asking the model"
    return ""


def is_fruitless(start: AgentStart) -> bool:
    return start.seconds < QUICK_SECONDS and not start.calls


def wait_seconds(starts: Sequence[AgentStart]) -> float:
    """Nothing after a long start, and twice as long after each quick one in a row."""
    quick = len(list(takewhile(lambda start: start.seconds < QUICK_SECONDS, reversed(starts))))
    return min(MOST_WAIT_SECONDS, 2.0 ** min(quick, 10)) if quick else 0.0


def _pause(seconds: float, continuation: Continuation) -> None:
    end = continuation.clock() + seconds
    while (left := end - continuation.clock()) > 0 and not continuation.is_over():
        continuation.sleep(min(POLL_SECONDS, left))


def merged(outcomes: Sequence[Outcome], why: str) -> Outcome:
    """The last outcome with what all of them used."""
    last = outcomes[-1]
    if len(outcomes) == 1:
        return replace(last, reason=f"{last.reason}; {why}") if why else last
    seconds = sum(outcome.seconds for outcome in outcomes)
    reason = f"{last.reason}, after {len(outcomes)} starts" + (f"; {why}" if why else "")
    counts = [outcome.facts.get("output_bytes") for outcome in outcomes]
    output = sum(count for count in counts if isinstance(count, int))
    return replace(
        last,
        reason=reason,
        seconds=seconds,
        usage={name: _merged_usage(name, outcomes) for name in last.usage},
        facts={**last.facts, "output_bytes": output},
    )


def _merged_usage(name: str, outcomes: Sequence[Outcome]) -> ResourceUsage:
    """The most that was used at a time; of time the sum, of processors the mean."""
    parts = [(one.usage[name].used, one.seconds) for one in outcomes if name in one.usage]
    known = [(used, seconds) for used, seconds in parts if used is not None]
    first = outcomes[0].usage[name]
    if not known:
        return first
    if name == "wall_seconds":
        used = sum(part for part, _ in known)
    elif name == "cpus":
        total = sum(seconds for _, seconds in known)
        used = sum(part * seconds for part, seconds in known) / total if total else 0.0
    else:
        used = max(part for part, _ in known)
    return replace(first, used=used)
