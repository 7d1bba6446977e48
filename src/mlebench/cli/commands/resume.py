"""`mlebench resume`: continue a group after a crash, a cancellation or a failure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from msgspec import structs

from mlebench.catalogue import Catalogue
from mlebench.cli.forecasting import forecast_rest, require_possible
from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    LAUNCH,
    complete_groups,
    executor_options,
    jobs_option,
    json_option,
    place_options,
    runs_dir_option,
)
from mlebench.cli.output import note
from mlebench.cli.running import finish, note_plan

if TYPE_CHECKING:
    from mlebench.records.group import Launch


@bench_command()
@click.argument("group", default="last", shell_complete=complete_groups)
@click.option("--agent", "agent_name", help="The agent's folder, for groups of version 0.1.")
@runs_dir_option
@executor_options
@jobs_option
@place_options
@json_option
@click.pass_context
def command(ctx: click.Context, /, group: str, agent_name: str | None, **options: Any) -> None:
    """Execute the runs that are missing; finished ones are kept, infrastructure failures retried.

    Agent, data folder and options are those that the group was started with; options given here
    replace them.

    \b
    Examples:
      mlebench resume
      mlebench resume 2026-11-15T20-00-00-GMT_run-group_dummy -j 4
      mlebench resume runs/my-group --data-dir data
    """
    from mlebench.agents.registry import find_agent
    from mlebench.results.compliance import Compliance
    from mlebench.runner.group import find_group, make_work, reopen_group
    from mlebench.runner.notify import check_notify
    from mlebench.runner.plan import open_group

    found = open_group(find_group(group, options["runs_dir"]))
    options = _as_started(ctx, found.plan.launch, options)
    catalogue = Catalogue(
        options["data_dir"], options["competitions_dir"], found.plan.settings.revision
    )
    agent = find_agent(agent_name) if agent_name else None
    names = ("notify", "notify_command")
    launch = structs.replace(found.plan.launch, **{name: options[name] for name in names})
    check_notify(launch)
    found = replace(found, plan=structs.replace(found.plan, launch=launch))
    work = make_work(catalogue, found, agent, on_install=note)
    runs = reopen_group(found)
    left = [run.record for run in runs if run.record and not run.is_final]
    if left:
        require_possible(forecast_rest(left, work, options))
    else:
        note("nothing is left to do: every run has ended")
    note_plan(found)
    if found.plan.protocol:
        note(str(Compliance(found.plan.protocol, True, found.plan.deviations)))
    finish(replace(work, left=frozenset(run.run_id for run in left)), options, runs)


def _as_started(ctx: click.Context, launch: Launch, options: dict[str, Any]) -> dict[str, Any]:
    """The options that the group was started with, except those that the user sets now."""
    planned = {
        "data_dir": Path(launch.data_dir) if launch.data_dir else None,
        "competitions_dir": tuple(map(Path, launch.competitions_dirs)),
        **{name: getattr(launch, name) for name in LAUNCH},
    }
    given = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
    kept = {n: value for n, value in planned.items() if ctx.get_parameter_source(n) not in given}
    return options | kept
