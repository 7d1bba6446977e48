"""`mlebench resume`: go on with a group after a crash, a cancellation or a failure."""

from __future__ import annotations

from typing import Any

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    catalogue_options,
    complete_groups,
    jobs_option,
    json_option,
    make_catalogue,
)
from mlebench.cli.running import executor_options, finish, note_plan, runs_dir_option


@bench_command()
@click.argument("group", shell_complete=complete_groups)
@click.option("--agent", "agent_name", help="The agent's folder, where it is not called by name.")
@runs_dir_option
@executor_options
@jobs_option
@catalogue_options
@json_option
def command(group: str, agent_name: str | None, **options: Any) -> None:
    """Do exactly what is missing; finished runs stay, failures outside the agent are tried again.

    \b
    Examples:
      mlebench resume last
      mlebench resume 2026-11-15T20-00-00-GMT_run-group_dummy -j 4
      mlebench resume runs/my-group --data-dir data
    """
    from mlebench.agents.registry import find_agent
    from mlebench.runner.group import find_group, make_work, reopen_group
    from mlebench.runner.plan import open_group

    found = open_group(find_group(group, options["runs_dir"]))
    agent = find_agent(agent_name or found.plan.agent)
    catalogue = make_catalogue(options["data_dir"], options["competitions_dir"])
    reopen_group(found)
    note_plan(found)
    finish(make_work(catalogue, agent, found), options)
