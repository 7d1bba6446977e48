"""`mlebench doctor`: check what preparing and running needs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    Selection,
    data_options,
    json_option,
    one_of,
    selection_options,
)
from mlebench.cli.output import note, print_json, print_table, safe

if TYPE_CHECKING:
    from mlebench.doctor.check import Check

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@bench_command()
@selection_options
@data_options
@click.option("--offline", is_flag=True, help="Do not ask Kaggle.")
@click.option("--attack", is_flag=True, help="Run hostile agents in a sandbox; takes a minute.")
@click.option(
    "--sandbox",
    shell_complete=one_of("process", "bubblewrap", "docker", "apptainer"),
    help="With --attack: which one; default: the best that works.",
)
@json_option
def command(
    selection: Selection,
    catalogue: Catalogue,
    offline: bool,
    attack: bool,
    sandbox: str | None,
    as_json: bool,
) -> None:
    """Check account, rules, disk, packages, sandboxes and GPUs; change nothing.

    \b
    Examples:
      mlebench doctor
      mlebench doctor --lite
      mlebench doctor -c spaceship-titanic --json
      mlebench doctor --offline --attack --sandbox bubblewrap
    """
    from mlebench.doctor.preflight import attack_checks, preflight

    chosen = selection.ids(catalogue) if selection.is_given else []
    checks = preflight(
        [catalogue.get_competition(competition_id) for competition_id in chosen],
        data_dir=catalogue.get_data_dir(),
        online=not offline,
    )
    if attack:
        checks += attack_checks(sandbox)
    print_checks(checks, as_json=as_json)
    exit_if_failed(checks)


def exit_if_failed(checks: Sequence[Check]) -> None:
    if any(check.state == "fail" for check in checks):
        raise click.exceptions.Exit(1)


def print_checks(checks: Sequence[Check], *, as_json: bool = False) -> None:
    """Print each check with its reason, and what to do if something is missing."""
    if as_json:
        print_json({"checks": [asdict(check) for check in checks]})
        return
    if not sys.stdout.isatty():
        head = ("state", "subject", "competition", "reason", "remedy")
        rows = [(c.state, c.subject, c.competition_id, c.reason, c.remedy) for c in checks]
        print_table(head, rows)
        return
    for check in checks:
        about = f"{check.competition_id}: " if check.competition_id else ""
        state = click.style(f"{check.state:<4}", fg=COLOURS[check.state])
        click.echo(f"{state}  {check.subject:<11}  {safe(about + check.reason)}")
        if check.remedy and check.state != "ok":
            click.echo(f"{'':19}{safe(check.remedy)}")
    counts: Counter[str] = Counter(check.state for check in checks)
    note(", ".join(f"{counts[state]} {state}" for state in COLOURS))
