"""`mlebench status`: where the runs of a group stand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import complete_groups, json_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.cli.running import runs_dir_option

if TYPE_CHECKING:
    from mlebench.runner.statuses import RunStatus


@bench_command()
@click.argument("group", default="last", shell_complete=complete_groups)
@runs_dir_option
@json_option
def command(group: str, runs_dir: Path, as_json: bool) -> None:
    """Show every run of a group; `last` is the newest group.

    \b
    Examples:
      mlebench status
      mlebench status 2026-11-15T20-00-00-GMT_run-group_dummy
      watch mlebench status last
    """
    from mlebench.runner.group import describe_group, find_group
    from mlebench.runner.plan import open_group
    from mlebench.runner.statuses import count_states, read_runs

    found = open_group(find_group(group, runs_dir))
    runs = list(read_runs(found))
    if as_json:
        print_json({"schema": 1} | describe_group(found, runs))
        return
    rows = [_row(run) for run in runs]
    head = ("competition", "seed", "state", "score", "medal", "seconds", "reason")
    print_table(head, rows, right="seed score seconds")
    states = count_states(runs)
    note("  ".join(f"{count} {state}" for state, count in sorted(states.items())))
    note(f"next: mlebench report {found.path}")


def _row(run: RunStatus) -> list[Any]:
    planned, record = run.planned, run.record
    start = [planned.competition_id, planned.seed, run.state]
    if record is None:
        return [*start, None, None, None, run.problem]
    used = None if record.seconds is None else f"{record.seconds:.1f}"
    return [*start, record.score, record.medal, used, record.reason]
