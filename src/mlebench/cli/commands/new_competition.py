"""`mlebench new-competition`: write the skeleton of a new competition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, json_option
from mlebench.cli.output import print_result

if TYPE_CHECKING:
    from mlebench.skeleton import Example


@bench_command()
@click.argument("competition_id", metavar="ID")
@click.option(
    "--dir",
    "folder",
    type=PATH,
    default=Path("competitions"),
    help="The folder in which to create it.",
)
@click.option(
    "--example",
    type=click.Choice(["table", "images"]),
    default="table",
    help="A table with one of our metrics, or images with a custom metric.",
)
@json_option
def command(competition_id: str, folder: Path, example: Example, as_json: bool) -> None:
    """Write the skeleton of a competition that can be prepared and graded and passes its checks.

    \b
    Examples:
      mlebench new-competition rain-tomorrow
      mlebench new-competition count-dots --example images
      mlebench check-competition rain-tomorrow --competitions-dir competitions
    """
    from mlebench.skeleton import write_skeleton

    home = write_skeleton(competition_id, folder, example=example)
    print_result(
        {"folder": str(home), "files": sorted(file.name for file in home.iterdir())},
        f"wrote {home}",
        f"next: mlebench check-competition {competition_id} --competitions-dir {folder}",
        as_json=as_json,
    )
