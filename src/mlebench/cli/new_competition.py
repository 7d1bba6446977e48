"""`mlebench new-competition`: write the skeleton of a new competition."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import json_option
from mlebench.cli.output import note, print_json


@bench_command()
@click.argument("competition_id", metavar="ID")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    default=Path("competitions"),
    show_default=True,
    help="The folder for it.",
)
@json_option
def command(competition_id: str, folder: Path, as_json: bool) -> None:
    """Write the skeleton of a competition that can be prepared and graded and passes its test.

    \b
    Examples:
      mlebench new-competition rain-tomorrow
      mlebench prepare -c rain-tomorrow --rehearsal --competitions-dir competitions
      python -m pytest competitions/rain_tomorrow
    """
    from mlebench.skeleton import write_skeleton

    home = write_skeleton(competition_id, folder)
    if as_json:
        files = sorted(file.name for file in home.iterdir())
        print_json({"schema": 1, "folder": str(home), "files": files})
        return
    note(f"wrote {home}")
    note(f"next: mlebench prepare -c {competition_id} --rehearsal --competitions-dir {folder}")
