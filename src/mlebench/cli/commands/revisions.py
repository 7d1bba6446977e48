"""`mlebench revisions`: what revision v1.1 changes, and whether scores of v1 compare."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

import click

from mlebench.catalogue import Catalogue
from mlebench.catalogue.catalogue import load_changes
from mlebench.cli.help import bench_command
from mlebench.cli.options import complete_ids, data_options, json_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.revision import Changes


@bench_command()
@click.argument("competition_id", metavar="[ID]", required=False, shell_complete=complete_ids)
@data_options
@json_option
def command(competition_id: str | None, catalogue: Catalogue, as_json: bool) -> None:
    """Show the faults that revision v1.1 fixes, in one competition or in all that it changes.

    same: an honest submission to v1 has the same score. near: the same test rows and metric, but
    other information is public. new: other rows or another metric; never compare with v1.

    \b
    Examples:
      mlebench revisions
      mlebench revisions hms-harmful-brain-activity-classification
      mlebench revisions --json
    """
    ids = [competition_id] if competition_id else published(catalogue)
    found = {name: load_changes(catalogue.home_of(name)) for name in ids}
    if as_json:
        print_json({"competitions": [describe_changes(*item) for item in found.items()]})
    elif competition_id:
        print_changes(competition_id, found[competition_id])
    else:
        rows = [
            (name, one.comparability, one.scoring, len(one.fixes), len(one.all_flags))
            for name, one in found.items()
        ]
        print_table(("id", "compares", "scoring", "fixes", "flags"), rows, right="fixes")
        kinds = Counter(changes.comparability for changes in found.values())
        counts = ", ".join(f"{kinds[kind]} {kind}" for kind in ("same", "near", "new"))
        note(f"{len(found)} competitions: {counts}; next: mlebench revisions ID")


def published(catalogue: Catalogue) -> list[str]:
    return [name for split in ("all", "dev") for name in catalogue.get_split(split)]


def describe_changes(competition_id: str, changes: Changes) -> dict[str, Any]:
    """What is declared, without its functions."""
    return {
        "competition_id": competition_id,
        **{name: getattr(changes, name) for name in ("comparability", "scoring", "reason")},
        "flags": changes.all_flags,
        "noisy": asdict(changes.noisy) if changes.noisy else None,
        "fixes": [asdict(fix) for fix in changes.fixes],
    }


def print_changes(competition_id: str, changes: Changes) -> None:
    click.secho(f"{competition_id}, revision v1.1", bold=True)
    click.echo(f"compares with v1: {changes.comparability}")
    click.echo(f"scoring: {changes.scoring}" + (f" ({changes.reason})" if changes.reason else ""))
    for fix in changes.fixes:
        click.echo(f"fault: {fix.fault}" + (f" ({fix.issue})" if fix.issue else ""))
        click.echo(f"  fix: {fix.change}")
    for flag in changes.all_flags:
        click.echo(f"note: {flag}")
    if not changes.fixes:
        click.echo("no faults; only the rules for all competitions: strict files, test items by id")
