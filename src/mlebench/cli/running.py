"""What `run` and `resume` share: the live table, the closing lines, the exit code."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click

from mlebench.cli.output import counted, note, print_json, safe

if TYPE_CHECKING:
    from mlebench.records.run import RunRecord
    from mlebench.runner.plan import PlannedGroup
    from mlebench.runner.statuses import GroupWatch, RunStatus
    from mlebench.runner.tools import Work

FAILURE_LINES = 8


def note_plan(group: PlannedGroup) -> None:
    """Print the plan: number of runs, time limit, folder, sandbox."""
    from mlebench.results.plots.clock import duration

    settings = group.plan.settings
    if settings.sandbox == "process":
        note(
            "WARNING: THE PROCESS SANDBOX ISOLATES NOTHING; results are not comparable with others"
        )
    if settings.is_rehearsal:
        note("REHEARSAL: the data is synthetic; scores, ranks and medals mean nothing")
    note(
        f"{counted(len(group.plan.runs), 'run')} of {group.plan.agent_label} in {settings.sandbox},"
        f" revision {settings.revision}, at most {duration(settings.hours * 3600)} each;"
        f" group: {group.path}"
    )
    if group.plan.enforced:
        from mlebench.runner.limits import describe_enforcement

        note(f"limits: {describe_enforcement(settings, group.plan.enforced)}")
    if settings.limits.gpus:
        note(f"each run needs {settings.limits.gpus} GPUs and waits until they are free")


def print_group(group: PlannedGroup, *, as_json: bool) -> None:
    """Print a group that was only planned: as JSON, or how to continue."""
    from mlebench.runner.group import describe_group
    from mlebench.runner.statuses import read_runs

    if as_json:
        print_json(describe_group(group, list(read_runs(group))))
    else:
        note(f"next: mlebench resume {group.path}")


def finish(work: Work, options: dict[str, Any], known: Sequence[RunStatus] = ()) -> None:
    """Execute the group, show progress, print the result, and exit.

    Exit codes: 0 done, 1 a run failed, 3 no submission was valid, 130 interrupted or cancelled.

    Args:
        known: all runs, if they were just read.
    """
    from mlebench.runner.group import describe_group, work_on
    from mlebench.runner.notify import Notifier
    from mlebench.runner.statuses import GroupWatch

    start = time.monotonic()
    group = work.group
    watch = GroupWatch(group, known)
    with (
        progress_of(watch, options["jobs"]) as show,
        stopped_by_interrupts(group),
        Notifier(group, on_problem=note) as notifier,
    ):
        first_failure = FirstFailures(watch, keep_going=options.get("keep_going", True))

        def on_change() -> None:
            show()
            first_failure.look()
            notifier.look(watch.runs)

        work_on(
            work,
            jobs=options["jobs"],
            executor=options["executor"],
            ray_address=options["ray_address"],
            slurm=options["slurm"],
            on_change=on_change,
        )
        show(is_forced=True)
        first_failure.look()
        notifier.finish(watch.runs)
    if options["as_json"]:
        print_json(describe_group(group, watch.runs))
    else:
        _note_result(watch, time.monotonic() - start)
    raise click.exceptions.Exit(exit_code(watch.runs))


def exit_code(runs: Sequence[RunStatus]) -> int:
    """The exit code of `run` and `resume`."""
    from mlebench.runner.outcomes import count_outcomes

    outcomes = count_outcomes(run.record for run in runs if run.record)
    if any(name.startswith("failed") for name in outcomes) or any(not r.record for r in runs):
        return 1
    if outcomes["cancelled"] or not all(run.is_final for run in runs):
        return 130
    return 0 if outcomes["valid"] or not runs else 3


def _note_result(watch: GroupWatch, seconds: float) -> None:
    from mlebench.runner.outcomes import describe_outcomes

    group, runs = watch.group, watch.runs
    records = [run.record for run in runs if run.record]
    ended = sum(record.state in ("finished", "failed") for record in records)
    note(f"{ended} of {len(runs)} runs ended in {seconds:.1f} s: {describe_outcomes(records)}")
    note(f"runs: {group.path}")
    if ended < len(runs):
        note(f"finished runs are kept; continue: mlebench resume {shlex.quote(str(group.path))}")
    else:
        note(f"next: mlebench view {shlex.quote(str(group.path))}")


@contextmanager
def stopped_by_interrupts(group: PlannedGroup) -> Iterator[None]:
    """While a group is executed, the first Ctrl-C stops it cleanly, the second at once."""
    from mlebench.runner.group import cancel_group

    def stop(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, stop_at_once)
        cancel_group(group)
        note("stopping: no more runs are started, active runs are stopped; Ctrl-C again: at once")

    def stop_at_once(number: int, frame: object) -> None:
        path = shlex.quote(str(group.path))
        note(f"stopped at once; finished runs are kept; continue: mlebench resume {path}")
        raise KeyboardInterrupt

    # A shell starts background jobs with SIGINT ignored: Ctrl-C is not meant for them.
    is_ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    previous = None if is_ignored else signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        if previous is not None:
            signal.signal(signal.SIGINT, previous)


class FirstFailures:
    """Shows the end of the first failure's log; stops a group whose first runs fail alike."""

    def __init__(self, watch: GroupWatch, *, keep_going: bool) -> None:
        self._watch = watch
        self._keep_going = keep_going
        self._is_shown = False

    def look(self) -> None:
        from mlebench.runner.group import cancel_group
        from mlebench.runner.outcomes import failing_alike, is_failure

        if self._is_shown and self._keep_going:
            return
        records = [run.record for run in self._watch.runs if run.record]
        failures = [record for record in records if is_failure(record)]
        if failures and not self._is_shown:
            self._is_shown = True
            self._show(failures[0])
        group = self._watch.group
        is_over = all(run.is_final for run in self._watch.runs)
        if not self._keep_going and not is_over and failing_alike(group, records):
            self._keep_going = True
            cancel_group(group)
            note(
                f"the first {sum(record.is_final for record in records)} runs failed"
                " in the same way, so the others are not started; --keep-going starts them"
            )

    def _show(self, record: RunRecord) -> None:
        from mlebench.runner.details import last_lines

        log = self._watch.group.run(record.run_id).agent_log
        note(f"the first failure is {run_line(record)}; the end of {log}:")
        for line in last_lines(log, FAILURE_LINES).splitlines() or ["(nothing was printed)"]:
            note(f"  | {line}")


class Show(Protocol):
    """Shows the progress of a group; at most once a second unless forced."""

    def __call__(self, *, is_forced: bool = False) -> None: ...


@contextmanager
def progress_of(watch: GroupWatch, jobs: int) -> Iterator[Show]:
    """The live display on a terminal, else a line for each change of state."""
    if not sys.stderr.isatty():
        yield plain_lines(watch)
        return
    from mlebench.cli.live import LiveDisplay

    with LiveDisplay(watch, jobs) as display:
        yield display.show


def plain_lines(watch: GroupWatch) -> Show:
    """One line per change of state, for pipes and logs; earlier changes are not repeated."""
    watch.refresh(is_forced=True)
    known = {
        run.record.run_id: (run.state, run.record.reason)
        for run in watch.runs
        if run.record and run.is_final
    }

    def show(*, is_forced: bool = False) -> None:
        for run in watch.refresh(is_forced=is_forced):
            # A planned run that waits has a reason.
            if run.record and known.get(run.record.run_id) != (run.state, run.record.reason):
                known[run.record.run_id] = (run.state, run.record.reason)
                if run.state != "planned" or run.record.reason:
                    note(run_line(run.record))

    return show


def run_line(run: RunRecord) -> str:
    """`spaceship-titanic s1  finished  0.80967  bronze  12 s`."""
    parts = [f"{run.competition_id} s{run.seed}", run.state]
    if run.state == "finished":
        no_score = "invalid" if run.submission.exists else "no submission"
        parts += [no_score] if run.score is None else [f"{run.score:g}", run.medal or "no medal"]
    if run.seconds is not None:
        parts.append(f"{run.seconds:.1f} s")
    if run.state == "planned" and run.reason:
        parts.append(f"(waits: {safe(run.reason)})")
    if run.blame:
        parts.append(f"({run.blame}: {safe(run.reason or '')})")
    return "  ".join(parts)
