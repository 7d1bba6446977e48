"""`mlebench docs`: the guide that ships with the package."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import json_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.errors import DataError, UnknownNameError, unknown

PACKAGE = Path(__file__).parents[2]


@bench_command()
@click.argument("page", required=False)
@click.option("--image-recipe", is_flag=True, help="Print the folder with the agents' Dockerfile.")
@json_option
def command(page: str | None, image_recipe: bool, as_json: bool) -> None:
    """List the pages of the guide, or show one.

    \b
    Examples:
      mlebench docs
      mlebench docs running
      docker build -t mlebench-agent:latest "$(mlebench docs --image-recipe)"
    """
    if image_recipe:
        click.echo(_found("guide/agent-image", "images/agent"))
        return
    pages = {file.stem: file for file in sorted(_found("guide", "docs").glob("*.md"))}
    if page is not None:
        if page not in pages:
            raise UnknownNameError(unknown("page", page, list(pages), see="mlebench docs"))
        text = pages[page].read_text("utf-8")
        (click.echo_via_pager if sys.stdout.isatty() else click.echo)(text)
    elif as_json:
        print_json({"pages": {name: str(file) for name, file in pages.items()}})
    else:
        print_table(("page", "title"), [(name, _title(file)) for name, file in pages.items()])
        note(f"files: {_found('guide', 'docs')}")


def _title(file: Path) -> str:
    with file.open(encoding="utf-8") as stream:
        return stream.readline().lstrip("# ").strip()


def _found(installed: str, checkout: str) -> Path:
    """A folder of the wheel, or of the checkout that an editable installation points to."""
    for place in (PACKAGE / installed, PACKAGE.parent.parent / checkout):
        if place.is_dir():
            return place
    raise DataError(
        f"this installation has no {checkout}", hint="install mlebench from a wheel or a checkout"
    )
