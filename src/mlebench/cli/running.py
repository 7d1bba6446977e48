"""What `run` and `resume` share: options, the live table, the closing lines, the exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from mlebench.cli.output import note, print_json, safe

if TYPE_CHECKING:
    from collections import Counter

    from mlebench.records.run import RunRecord
    from mlebench.runner.plan import PlannedGroup
    from mlebench.runner.statuses import GroupWatch, RunStatus
    from mlebench.runner.tools import Work

runs_dir_option = click.option(
    "--runs-dir",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    envvar="MLEBENCH_RUNS_DIR",
    show_envvar=True,
    help="Where run groups lie.",
)


def executor_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--executor` and `--ray-address`."""
    for option in (
        click.option("--ray-address", help="An existing Ray cluster; else a local one is started."),
        click.option(
            "--executor",
            type=click.Choice(["local", "ray"]),
            default="local",
            show_default=True,
            help="Worker processes here, or tasks on a Ray cluster.",
        ),
    ):
        function = option(function)
    return function


def note_plan(group: PlannedGroup) -> None:
    """First the plan: how many runs, how long at most, where, in which sandbox."""
    settings = group.plan.settings
    if settings.sandbox == "process":
        note(
            "WARNING: THE PROCESS SANDBOX ISOLATES NOTHING; results are not comparable with others"
        )
    note(
        f"{len(group.plan.runs)} runs of {group.plan.agent} in {settings.sandbox}, at most"
        f" {settings.hours:g} h each; group: {group.path}"
    )


def print_group(group: PlannedGroup, *, as_json: bool) -> None:
    """A group that nobody works on yet: the plan for machines, or how to go on."""
    from mlebench.runner.group import describe_group
    from mlebench.runner.statuses import read_runs

    if as_json:
        print_json({"schema": 1} | describe_group(group, list(read_runs(group))))
    else:
        note(f"next: mlebench resume {group.path}")


def finish(work: Work, options: dict[str, Any]) -> None:
    """Work on the group, show progress, tell the result; exit 1 when a run failed outside."""
    from mlebench.runner.group import describe_group, work_on
    from mlebench.runner.statuses import GroupWatch, count_states

    start = time.monotonic()
    group = work.group
    watch = GroupWatch(group)
    show = live_table(watch) if sys.stderr.isatty() else plain_lines(watch)
    work_on(
        work,
        jobs=options["jobs"],
        executor=options["executor"],
        ray_address=options["ray_address"],
        on_change=show,
    )
    show(is_forced=True)
    states = count_states(watch.runs)
    if options["as_json"]:
        print_json({"schema": 1} | describe_group(group, watch.runs))
    else:
        note(_closing_line(watch.runs, states, time.monotonic() - start))
        note(f"runs: {group.path}")
        note(f"next: mlebench view {group.path}")
    if states["failed"] or states["damaged"]:
        raise click.exceptions.Exit(1)
    if states["cancelled"]:
        raise click.exceptions.Exit(130)


def _closing_line(runs: Sequence[RunStatus], states: Counter[str], seconds: float) -> str:
    records = [run.record for run in runs if run.record]
    medals = [record.medal for record in records if record.medal]
    invalid = sum(record.state == "finished" and record.score is None for record in records)
    return (
        f"{states['finished']} of {len(records)} runs finished in {seconds:.1f} s:"
        f" {len(medals)} medals ({medals.count('gold')} G, {medals.count('silver')} S,"
        f" {medals.count('bronze')} B), {invalid} invalid, {states['failed']} failed"
    )


class Show(Protocol):
    """Shows how far a group is; at most once a second unless it is forced to."""

    def __call__(self, *, is_forced: bool = False) -> None: ...


def plain_lines(watch: GroupWatch) -> Show:
    """One line per change of state, for pipes and logs."""
    known: dict[str, str] = {}

    def show(*, is_forced: bool = False) -> None:
        for run in watch.refresh(is_forced=is_forced):
            if run.record and known.get(run.record.run_id) != run.state:
                known[run.record.run_id] = run.state
                if run.state != "planned":
                    note(run_line(run.record))

    return show


def live_table(watch: GroupWatch) -> Show:
    """A line per active run over one total line."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from mlebench.runner.statuses import count_states

    live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)

    def show(*, is_forced: bool = False) -> None:
        if not watch.refresh(is_forced=is_forced):
            return
        active = [
            run_line(run.record)
            for run in watch.runs
            if run.record and run.state in ("starting", "running", "grading")
        ]
        states = count_states(watch.runs)
        total = "  ".join(f"{count} {state}" for state, count in sorted(states.items()))
        live.update(Text("\n".join([*active, total])), refresh=True)

    return show


def run_line(run: RunRecord) -> str:
    """`spaceship-titanic s1  finished  0.80967  bronze  12 s`."""
    parts = [f"{run.competition_id} s{run.seed}", run.state]
    if run.state == "finished":
        parts.append("invalid" if run.score is None else f"{run.score:g}")
        parts.append(run.medal or "no medal")
    if run.seconds is not None:
        parts.append(f"{run.seconds:.1f} s")
    if run.blame:
        parts.append(f"({run.blame}: {safe(run.reason or '')})")
    return "  ".join(parts)
