"""`mlebench run`: run an agent on competitions."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.cli.forecasting import forecast_runs, note_forecast, require_possible
from mlebench.cli.help import bench_command
from mlebench.cli.model_options import gateway_record, model_options
from mlebench.cli.options import (
    LAUNCH,
    PATH,
    catalogue_options,
    complete_agents,
    executor_options,
    jobs_option,
    json_option,
    one_of,
    runs_dir_option,
    selection_options,
)
from mlebench.cli.output import note, print_json
from mlebench.cli.running import finish, note_plan, print_group
from mlebench.errors import DataError, UsageError

if TYPE_CHECKING:
    from mlebench.agents.base import AgentPackage
    from mlebench.catalogue import Catalogue
    from mlebench.runner.forecast import Forecast
    from mlebench.runner.group import RunRequest


@bench_command()
@click.option(
    "--agent",
    "agent_name",
    shell_complete=complete_agents,
    help="A name (dummy, baseline …), a folder or a YAML file.",
)
@click.option("--command", "command_line", help="A command line instead of an agent's folder.")
@click.option("--name", "label", help="The agent's name in reports.")
@click.option(
    "--protocol",
    type=click.Choice(["published", "lite", "systemcard"]),
    help="Competitions, seeds, hours and hardware of a published protocol: 75, 22 or 30"
    " competitions, 3 seeds, 24 hours; other options replace parts of it.",
)
@selection_options
@click.option("--seeds", type=click.IntRange(1), help="Runs per competition; default: 1.")
@click.option(
    "--sandbox",
    shell_complete=one_of("process", "bubblewrap", "docker", "apptainer"),
    help="process, bubblewrap, docker or apptainer; default: the best that works.",
)
@click.option(
    "--profile",
    shell_complete=one_of("local", "small", "published"),
    help="local, small or published; default: local.",
)
@click.option("--hours", type=click.FloatRange(min=0, min_open=True), help="Time limit of a run.")
@click.option("--gpus", type=click.IntRange(0), help="GPUs per run.")
@click.option(
    "--require-limits", is_flag=True, help="Start only if the kernel enforces every limit."
)
@click.option("--image", help="Container sandboxes: the image to use.")
@click.option(
    "--container-config", type=PATH, help="JSON with mem_limit, shm_size, nano_cpus, gpus, runtime."
)
@click.option("--obfuscated", is_flag=True, help="The same as --obfuscation L1.")
@click.option(
    "--obfuscation",
    type=click.Choice(["L0", "L1", "L2", "L3"]),
    help="L1 hides the competition's name, L2 names of files and columns, L3 rows and ids as well.",
)
@click.option("--rehearsal", is_flag=True, help="Prepare synthetic data if none is prepared.")
@click.option(
    "--keep-going",
    is_flag=True,
    help="Start all runs, even if the first ones fail in the same way.",
)
@model_options
@click.option("--yes", is_flag=True, help="Do not ask before using a paid model on synthetic data.")
@click.option(
    "--dry-run", is_flag=True, help="Only print the forecast: time, disk, money, what is missing."
)
@click.option("--plan-only", is_flag=True, help="Only write the plan; `resume` executes it.")
@runs_dir_option
@executor_options
@jobs_option
@catalogue_options
@json_option
def command(**options: Any) -> None:
    """Run an agent on competitions, grade its submissions, and store everything.

    \b
    Examples:
      mlebench run --agent dummy -c spaceship-titanic --rehearsal
      mlebench run --agent ./my_agent --lite --seeds 3 -j 4
      mlebench run --agent tree --model gpt-4.1 --max-cost 20 --lite
      mlebench run --protocol published --agent tree --model gpt-4.1 --dry-run
      mlebench run --protocol lite --agent tree --model gpt-4.1 --max-cost 500 -j 4
      mlebench run --command "python solve.py --data {data} --out {submission}" --split dev
    """
    from mlebench.agents.commands import command_agent
    from mlebench.agents.registry import find_agent
    from mlebench.records.group import Launch
    from mlebench.runner.containers import read_container_config
    from mlebench.runner.group import RunRequest, start_group
    from mlebench.runner.profiles import get_profile
    from mlebench.sandbox.registry import best_sandbox, get_sandbox

    if bool(options["agent_name"]) == bool(options["command_line"]):
        raise click.UsageError("name the agent: --agent NAME_OR_FOLDER or --command LINE")
    catalogue: Catalogue = options["catalogue"]
    ids, seeds, profile = _extent(catalogue, options)
    excluded = (catalogue.get_data_dir(), options["runs_dir"])
    if options["agent_name"]:
        agent = find_agent(options["agent_name"], excluded)
    else:
        agent = command_agent(options["command_line"], Path.cwd(), excluded=excluded)
    get_profile(profile)
    gateway = gateway_record(options, needs_key=not options["dry_run"])
    if agent.needs_model and gateway is None:
        raise click.UsageError(f"the agent {agent.name} needs a model: --model NAME")
    sandbox = get_sandbox(options["sandbox"]) if options["sandbox"] else best_sandbox()
    config = options["container_config"]
    request = RunRequest(
        sandbox=sandbox.name,
        seeds=seeds,
        profile=profile,
        hours=options["hours"],
        gpus=options["gpus"],
        image=options["image"],
        container=read_container_config(config) if config else None,
        obfuscation=_obfuscation(options),
        require_limits=options["require_limits"],
        gateway=gateway,
        label=options["label"] or "",
        protocol=options["protocol"] or "",
        launch=Launch(**{name: options[name] for name in LAUNCH}),
    )
    forecast = _forecast(catalogue, agent, ids, request, options)
    if options["dry_run"]:
        if options["as_json"]:
            print_json(forecast.as_json())
        raise click.exceptions.Exit(1 if forecast.blocking else 0)
    if not options["plan_only"]:
        require_possible(forecast)
    if options["rehearsal"]:
        _prepare_missing(catalogue, ids, options["jobs"])
    if gateway and not options["yes"]:
        _ask_before_paying(catalogue, ids, gateway)
    group, work = start_group(catalogue, agent, ids, request, options["runs_dir"], on_install=note)
    note_plan(group)
    if options["plan_only"]:
        print_group(group, as_json=options["as_json"])
    else:
        finish(work, options)


def _extent(catalogue: Catalogue, options: dict[str, Any]) -> tuple[list[str], int, str]:
    """Competitions, seeds and profile: those of the protocol, unless other options replace them."""
    selection, seeds, profile = (options[name] for name in ("selection", "seeds", "profile"))
    if not options["protocol"]:
        return selection.ids(catalogue), seeds or 1, profile or "local"
    from mlebench.protocols import get_protocol

    protocol = get_protocol(options["protocol"])
    chosen = selection.ids(catalogue) if selection.is_given else catalogue.get_split(protocol.split)
    return chosen, seeds or protocol.seeds, profile or protocol.profile


def _forecast(
    catalogue: Catalogue,
    agent: AgentPackage,
    ids: list[str],
    request: RunRequest,
    options: dict[str, Any],
) -> Forecast:
    """Print the forecast of the request."""
    from msgspec import structs

    from mlebench.records.manifest import is_rehearsal_data
    from mlebench.runner.forecast import count_runs
    from mlebench.runner.group import make_settings
    from mlebench.runner.plan import planned_deviations

    folders = [catalogue.get_competition(i).folder for i in ids]
    settings = structs.replace(
        make_settings(request),
        revision=catalogue.revision,
        is_rehearsal=options["rehearsal"] or any(map(is_rehearsal_data, folders)),
    )
    forecast = forecast_runs(
        catalogue,
        count_runs(ids, request.seeds),
        settings,
        agent=agent.name,
        image=request.image or agent.image,
        runs_dir=options["runs_dir"],
        options=options,
    )
    if request.protocol:
        found = planned_deviations(
            request.protocol,
            settings,
            seeds=dict.fromkeys(ids, request.seeds),
            is_local=options["executor"] == "local",
        )
        forecast = replace(forecast, protocol=request.protocol, deviations=found)
    note_forecast(forecast, catalogue.get_data_dir())
    return forecast


def _obfuscation(options: dict[str, Any]) -> str:
    """The level, from either of the two options."""
    level = str(options["obfuscation"] or ("L1" if options["obfuscated"] else "L0"))
    if options["obfuscated"] and level != "L1":
        raise click.UsageError("--obfuscated is --obfuscation L1: name one of them")
    return level


def _prepare_missing(catalogue: Catalogue, ids: list[str], jobs: int) -> None:
    """Prepare rehearsal data for the competitions that are not prepared."""
    from mlebench.cli.prepare_display import display
    from mlebench.preparing.options import PrepareOptions, Rehearsal
    from mlebench.preparing.pipeline import PreparationTask, prepare_many

    missing = [i for i in ids if not catalogue.get_competition(i).folder.manifest.is_file()]
    if not missing:
        return
    tasks = [PreparationTask(i, PrepareOptions(rehearsal=Rehearsal())) for i in missing]
    with display() as (on_progress, on_done):
        outcomes = prepare_many(
            tasks, catalogue, jobs=jobs, on_progress=on_progress, on_done=on_done
        )
    if failed := [outcome.competition_id for outcome in outcomes if outcome.state == "failed"]:
        raise DataError(f"no rehearsal data could be prepared for {', '.join(failed)}")


def _ask_before_paying(catalogue: Catalogue, ids: list[str], gateway: dict[str, Any]) -> None:
    """Ask before spending money on scores that mean nothing."""
    from mlebench.gateway.settings import read_settings
    from mlebench.records.manifest import is_rehearsal_data

    settings = read_settings(gateway)
    if settings.replay or settings.is_local:
        return
    if not all(is_rehearsal_data(catalogue.get_competition(i).folder) for i in ids):
        return
    text = f"all data is synthetic (rehearsal), and {settings.model} costs money"
    if not sys.stdin.isatty():
        raise UsageError(text, hint="--yes runs it anyway")
    click.confirm(f"{text}; go on?", abort=True, err=True)
