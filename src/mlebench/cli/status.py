"""`mlebench status`: where the runs of a group stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import complete_groups, json_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.cli.running import runs_dir_option


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
    from mlebench.runner.group import count_states, describe_group, find_group, read_runs

    folder = find_group(group, runs_dir)
    if as_json:
        print_json({"schema": 1} | describe_group(folder))
        return
    rows: list[list[Any]] = []
    for run in read_runs(folder):
        if isinstance(run, str):
            rows.append(["damaged", None, None, None, None, None, run])
            continue
        used = None if run.seconds is None else f"{run.seconds:.1f}"
        rows.append(
            [run.competition_id, run.seed, run.state, run.score, run.medal, used, run.reason]
        )
    head = ("competition", "seed", "state", "score", "medal", "seconds", "reason")
    print_table(head, rows, right="seed score seconds")
    states = count_states(folder)
    note("  ".join(f"{count} {state}" for state, count in sorted(states.items())))
    note(f"next: mlebench report {folder.path}")
