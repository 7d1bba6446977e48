"""`mlebench status`: show the state of a group's runs."""

from __future__ import annotations

import shlex
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import complete_groups, json_option, runs_dir_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.cli.running import progress_of

if TYPE_CHECKING:
    from mlebench.runner.plan import PlannedGroup
    from mlebench.runner.statuses import RunStatus


@bench_command()
@click.argument("group", default="last", shell_complete=complete_groups)
@click.option(
    "--watch", "is_watched", is_flag=True, help="Update the display until every run has ended."
)
@runs_dir_option
@json_option
def command(group: str, is_watched: bool, runs_dir: Path, as_json: bool) -> None:
    """Show every run of a group; `last` is the newest group.

    A run is `stopped` if it was started but has no worker any more; `resume` starts it again.

    \b
    Examples:
      mlebench status
      mlebench status 2026-11-15T20-00-00-GMT_run-group_dummy
      mlebench status last --watch
    """
    from mlebench.runner.group import describe_group, find_group
    from mlebench.runner.plan import open_group
    from mlebench.runner.statuses import count_states, read_runs

    found = open_group(find_group(group, runs_dir))
    if is_watched:
        _watch(found)
    runs = list(read_runs(found))
    if as_json:
        print_json(describe_group(found, runs))
        return
    rows = [_row(run) for run in runs]
    head = ("competition", "seed", "state", "score", "medal", "seconds", "reason")
    print_table(head, rows, right="seed score seconds")
    states = count_states(runs)
    if found.plan.settings.is_rehearsal:
        note("rehearsal: the data is synthetic; scores and medals mean nothing")
    note("  ".join(f"{count} {state}" for state, count in sorted(states.items())))
    note(f"next: mlebench {_next(states)} {shlex.quote(str(found.path))}")


def _next(states: Collection[str]) -> str:
    """The command that continues from here."""
    from mlebench.records.run import ACTIVE

    if any(state in ACTIVE for state in states):
        return "status --watch"
    is_left = any(state in states for state in ("planned", "stopped", "cancelled"))
    return "resume" if is_left else "report"


def _watch(group: PlannedGroup) -> None:
    """Show progress until no worker is active; Ctrl-C ends only the display."""
    from mlebench.runner.statuses import GroupWatch

    watch = GroupWatch(group)
    with suppress(KeyboardInterrupt), progress_of(watch, 1) as show:
        while True:
            show(is_forced=True)
            if all(run.is_final or run.state in ("stopped", "damaged") for run in watch.runs):
                return
            time.sleep(1)


def _row(run: RunStatus) -> list[Any]:
    planned, record = run.planned, run.record
    start = [planned.competition_id, planned.seed, run.state]
    if record is None:
        return [*start, None, None, None, run.problem]
    used = None if record.seconds is None else f"{record.seconds:.1f}"
    return [*start, record.score, record.medal, used, record.reason]
