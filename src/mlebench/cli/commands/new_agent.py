"""`mlebench new-agent`: write the skeleton of a new agent."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, json_option
from mlebench.cli.output import print_result


@bench_command()
@click.argument("name")
@click.option(
    "--llm", "with_model", is_flag=True, help="Write an agent that uses a language model."
)
@click.option(
    "--dir",
    "folder",
    type=PATH,
    default=Path(),
    show_default="the current folder",
    help="The folder in which to create it.",
)
@json_option
def command(name: str, with_model: bool, folder: Path, as_json: bool) -> None:
    """Write an agent that can be run as it is, with its own test.

    \b
    Examples:
      mlebench new-agent my-agent
      mlebench run --agent ./my-agent -c spaceship-titanic --rehearsal
      mlebench new-agent my-llm-agent --llm
    """
    from mlebench.skeleton import write_agent_skeleton

    home = write_agent_skeleton(name, folder, with_model=with_model)
    place = home if home.is_absolute() else f"./{home}"
    model = " --model NAME" if with_model else ""
    print_result(
        {"folder": str(home), "files": sorted(file.name for file in home.iterdir())},
        f"wrote {home}",
        f"next: mlebench run --agent {place} -c spaceship-titanic --rehearsal{model}",
        as_json=as_json,
    )
