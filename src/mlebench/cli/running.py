"""What `run` and `resume` share: options, the live table, the closing lines, the exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.cli.output import note, print_json, safe

if TYPE_CHECKING:
    from mlebench.records.folders import GroupFolder
    from mlebench.runner.local import Work

runs_dir_option = click.option(
    "--runs-dir",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    envvar="MLEBENCH_RUNS_DIR",
    show_envvar=True,
    help="Where run groups lie.",
)
REDRAW_SECONDS = 1.0


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


def note_plan(group: GroupFolder) -> None:
    """First the plan: how many runs, how long at most, where, in which sandbox."""
    from mlebench.runner.plan import open_group

    plan = open_group(group)
    settings = plan.settings
    if settings.sandbox == "process":
        note(
            "WARNING: THE PROCESS SANDBOX ISOLATES NOTHING; results are not comparable with others"
        )
    note(
        f"{len(plan.runs)} runs of {plan.agent} in {settings.sandbox}, at most"
        f" {settings.hours:g} h each; group: {group.path}"
    )


def finish(group: GroupFolder, work: Work, options: dict[str, Any]) -> None:
    """Work on the group, show progress, tell the result; exit 1 when a run failed outside."""
    from mlebench.runner.group import count_states, describe_group, work_on

    start = time.monotonic()
    on_change = live_table(group) if sys.stderr.isatty() else plain_lines(group)
    work_on(
        work,
        jobs=options["jobs"],
        executor=options["executor"],
        ray_address=options["ray_address"],
        on_change=on_change,
    )
    on_change()
    states = count_states(group)
    if options["as_json"]:
        print_json({"schema": 1} | describe_group(group))
    else:
        note(_closing_line(group, time.monotonic() - start))
        note(f"runs: {group.path}")
        note(f"next: mlebench view {group.path}")
    if states["failed"] or states["damaged"]:
        raise click.exceptions.Exit(1)
    if states["cancelled"]:
        raise click.exceptions.Exit(130)


def _closing_line(group: GroupFolder, seconds: float) -> str:
    from mlebench.runner.group import count_states, read_runs

    runs = [run for run in read_runs(group) if not isinstance(run, str)]
    medals = [run.medal for run in runs if run.medal]
    invalid = sum(run.state == "finished" and run.score is None for run in runs)
    states = count_states(group)
    return (
        f"{states['finished']} of {len(runs)} runs finished in {seconds:.1f} s:"
        f" {len(medals)} medals ({medals.count('gold')} G, {medals.count('silver')} S,"
        f" {medals.count('bronze')} B), {invalid} invalid, {states['failed']} failed"
    )


def plain_lines(group: GroupFolder) -> Callable[[], None]:
    """One line per change of state, for pipes and logs."""
    from mlebench.runner.group import read_runs

    known: dict[str, str] = {}

    def show() -> None:
        for run in read_runs(group):
            if isinstance(run, str) or known.get(run.run_id) == run.state:
                continue
            known[run.run_id] = run.state
            if run.state != "planned":
                note(run_line(run))

    return show


def live_table(group: GroupFolder) -> Callable[[], None]:
    """Redraws at most once a second: a line per active run over one total line."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from mlebench.runner.group import count_states, read_runs

    live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
    last = 0.0

    def show() -> None:
        nonlocal last
        if time.monotonic() - last < REDRAW_SECONDS:
            return
        last = time.monotonic()
        states = count_states(group)
        active = [
            run_line(run)
            for run in read_runs(group)
            if not isinstance(run, str) and run.state in ("starting", "running", "grading")
        ]
        total = "  ".join(f"{count} {state}" for state, count in sorted(states.items()))
        live.update(Text("\n".join([*active, total])), refresh=True)

    return show


def run_line(run: Any) -> str:
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
