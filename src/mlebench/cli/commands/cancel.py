"""`mlebench cancel`: cancel a group."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import complete_groups, json_option, runs_dir_option
from mlebench.cli.output import print_result


@bench_command()
@click.argument("group", shell_complete=complete_groups)
@runs_dir_option
@json_option
def command(group: str, runs_dir: Path, as_json: bool) -> None:
    """Stop active runs within seconds; planned runs do not start. `resume` continues the group.

    \b
    Examples:
      mlebench cancel last
      mlebench cancel 2026-11-15T20-00-00-GMT_run-group_dummy
      mlebench cancel last --json
    """
    from mlebench.runner.group import cancel_group, find_group
    from mlebench.runner.plan import open_group
    from mlebench.runner.statuses import count_states, read_runs

    folder = find_group(group, runs_dir)
    cancel_group(folder)
    name, states = folder.path.name, dict(count_states(read_runs(open_group(folder))))
    text = f"cancelled {name}; finished runs are kept"
    print_result({"group": name, "states": states}, text, as_json=as_json)
