"""`mlebench export`: competitions in the layout of the published benchmark."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.cli.help import BenchCommand
from mlebench.cli.options import PATH, json_option
from mlebench.cli.output import print_result


@click.group()
def command() -> None:
    """Write competitions in the folder layout of the published benchmark.

    \b
    Examples:
      mlebench export layout mle-bench
      mlebench export layout mle-bench --json
      mlebench export layout --help
    """


@command.command("layout", cls=BenchCommand)
@click.argument("folder", metavar="DIR", type=PATH)
@json_option
def layout(folder: Path, as_json: bool) -> None:
    """Write all 82 competitions to DIR, laid out as a checkout of the published benchmark.

    For each one config.yaml, description.md, leaderboard.csv, checksums.yaml, grade.py and
    prepare.py; beside them the splits and the instructions for agents. The texts are our own.

    \b
    Examples:
      mlebench export layout mle-bench
      mlebench export layout /tmp/mle-bench
      mlebench export layout mle-bench --json
    """
    from mlebench.catalogue import Catalogue
    from mlebench.catalogue.export import export_layout

    count = export_layout(Catalogue(), folder)
    facts = {"folder": str(folder), "competitions": count}
    print_result(facts, f"wrote {count} competitions to {folder}", as_json=as_json)
