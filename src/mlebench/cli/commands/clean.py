"""`mlebench clean`: free disk space and say how much."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import Selection, catalogue_options, json_option, selection_options
from mlebench.cli.output import counted, exit_if, note, print_json, print_table
from mlebench.errors import BenchError

if TYPE_CHECKING:
    from mlebench.preparing.clean import Item, Kind


@bench_command()
@selection_options
@catalogue_options
@click.option("--raw", is_flag=True, help="Unpacked raw data.")
@click.option("--archive", is_flag=True, help="Archives.")
@click.option("--prepared", is_flag=True, help="Prepared data, including answers.")
@click.option("--leftovers", is_flag=True, help="Leftovers of interrupted commands.")
@click.option("--dry-run", is_flag=True, help="Only list what would be removed.")
@json_option
def command(
    selection: Selection, catalogue: Catalogue, dry_run: bool, as_json: bool, **asked: bool
) -> None:
    """Remove data that is no longer needed; without a selection, of all competitions.

    By default it removes leftovers, and raw data and archives of prepared competitions.

    \b
    Examples:
      mlebench clean --dry-run
      mlebench clean --lite --raw --archive
      mlebench clean -c spaceship-titanic --prepared
    """
    from mlebench.preparing.clean import folders_with_data
    from mlebench.records.folders import CompetitionFolder

    root = catalogue.get_data_dir()
    if selection.is_given:
        chosen = selection.ids(catalogue)
        folders = [
            CompetitionFolder(root, competition_id, catalogue.revision) for competition_id in chosen
        ]
    else:
        folders = folders_with_data(root, catalogue.revision)
    kinds: Any = [kind for kind, is_asked in asked.items() if is_asked] or None
    items, failures = _clean_all(folders, kinds, dry_run=dry_run)
    _print_result(items, failures, dry_run=dry_run, as_json=as_json)
    exit_if(failures)


def _clean_all(
    folders: list[Any], kinds: list[Kind] | None, *, dry_run: bool
) -> tuple[list[Item], list[str]]:
    from mlebench.preparing.clean import clean

    items, failures = [], []
    for folder in folders:
        try:
            items += clean(folder, kinds, dry_run=dry_run)
        except BenchError as error:
            failures.append(str(error))
            note(f"fail  {folder.id}  {error}")
    return items, failures


def _print_result(items: list[Item], failures: list[str], *, dry_run: bool, as_json: bool) -> None:
    total = sum(item.bytes for item in items)
    if as_json:
        shown = [asdict(item) | {"path": str(item.path)} for item in items]
        key = "would_free_bytes" if dry_run else "freed_bytes"
        print_json({key: total, "items": shown, "failures": failures})
        return
    if items:
        rows = [(i.competition_id, i.kind, f"{i.bytes / 1e6:,.1f}", i.path) for i in items]
        print_table(("competition", "kind", "MB", "path"), rows, right="MB")
    verb = "would free" if dry_run else "freed"
    size = f"{total / 1e9:,.1f} GB" if total >= 1e9 else f"{total / 1e6:,.1f} MB"
    note(f"{verb} {size} ({counted(len(items), 'item')})")
