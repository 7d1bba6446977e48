"""`mlebench gym`: measure training episodes on this machine."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict
from importlib import metadata
from typing import TYPE_CHECKING

import click

from mlebench.cli.help import BenchGroup
from mlebench.cli.options import json_option
from mlebench.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from mlebench.gym.bench import Figure


@click.group(cls=BenchGroup)
def command() -> None:
    """Training episodes: measure how fast they are here.

    \b
    Examples:
      mlebench gym bench
      mlebench gym bench --quick --json
    """


@command.command("bench")
@click.option("--quick", is_flag=True, help="Measure a tenth of everything.")
@click.option("--idle", type=click.IntRange(1), help="Episodes open at once.  [default: 200]")
@click.option(
    "--active",
    type=click.IntRange(1),
    help="Episodes whose programs run at once.  [default: 16 for each processor]",
)
@click.option(
    "--leak-episodes",
    type=click.IntRange(1),
    help="Episodes to run when looking for leaks.  [default: 500]",
)
@json_option
def bench(
    quick: bool, idle: int | None, active: int | None, leak_episodes: int | None, as_json: bool
) -> None:
    """Measure resets, steps, runs, submissions, memory and leaks; compare with another design.

    It makes its own data. The other design is a stand-in that we wrote: a fresh interpreter and a
    rewritten history for each step. Needs bubblewrap; takes minutes.

    \b
    Examples:
      mlebench gym bench --quick
      mlebench gym bench --idle 1000 --leak-episodes 10000 --json
    """
    from dataclasses import replace

    from mlebench.gym.bench import Sizes, run_bench

    sizes = Sizes()
    if quick:
        sizes = Sizes(**{name: max(4, value // 10) for name, value in asdict(sizes).items()})
    given = {"idle": idle, "active": active, "leak_episodes": leak_episodes}
    sizes = replace(sizes, **{name: value for name, value in given.items() if value})
    figures = run_bench(sizes, lambda figure: note(_line(figure)))
    if as_json:
        machine = {
            "processors": os.cpu_count(),
            "load": os.getloadavg()[0],
            "kernel": platform.release(),
            "python": platform.python_version(),
            "pandas": metadata.version("pandas"),
        }
        print_json({"machine": machine, "figures": [asdict(figure) for figure in figures]})
        return
    rows = [
        [figure.name, f"{figure.value:g}", figure.unit, figure.target, figure.note]
        for figure in figures
    ]
    print_table(("figure", "value", "unit", "target", "note"), rows, right="value")


def _line(figure: Figure) -> str:
    return f"{figure.name}: {figure.value:g} {figure.unit}".rstrip()
