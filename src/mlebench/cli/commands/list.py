"""`mlebench list`: the competitions, with filters."""

from __future__ import annotations

from typing import Any

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import catalogue_options, json_option
from mlebench.cli.output import gigabytes, note, print_json, print_table
from mlebench.records.folders import CompetitionFolder
from mlebench.records.manifest import is_rehearsal_data
from mlebench.version import option_for


@bench_command()
@click.option("--split", help="Only one split: low (lite), medium, high, all, dev, starter.")
@click.option("--category", help="Only one category, such as tabular or image (part of the name).")
@click.option(
    "--prepared/--not-prepared",
    default=None,
    help="Only competitions that are, or are not, prepared.",
)
@catalogue_options
@json_option
def command(
    split: str | None,
    category: str | None,
    prepared: bool | None,
    catalogue: Catalogue,
    as_json: bool,
) -> None:
    """List competitions.

    \b
    Examples:
      mlebench list --split lite
      mlebench list --category text --not-prepared
      mlebench list --json
    """
    ids = set(catalogue.get_split(split)) if split else set(catalogue.list_competition_ids())
    chosen = [
        facts | _prepared_facts(catalogue, facts["id"])
        for facts in catalogue.facts()
        if facts["id"] in ids and (category or "").lower() in facts["category"].lower()
    ]
    if prepared is not None:
        chosen = [facts for facts in chosen if facts["is_prepared"] == prepared]
    if as_json:
        print_json({"competitions": chosen})
        return
    head = ("id", "complexity", "category", "metric", "GB", "prepared", "flags")
    print_table(head, [_row(facts) for facts in chosen], right="GB flags")
    unscored = catalogue.unscored(catalogue.revision)
    counted = [f"{name} is {unscored[name]}" for name in sorted(unscored) if name in ids]
    revision = catalogue.revision
    note(
        f"{len(chosen)} competitions, revision {revision}"
        f"{''.join(f', {text}' for text in counted)}; next: mlebench show ID{option_for(revision)}"
    )


def _prepared_facts(catalogue: Catalogue, competition_id: str) -> dict[str, bool]:
    folder = CompetitionFolder(catalogue.get_data_dir(), competition_id, catalogue.revision)
    return {"is_prepared": folder.manifest.is_file(), "is_rehearsal": is_rehearsal_data(folder)}


def _row(facts: dict[str, Any]) -> list[Any]:
    arrow = "↓" if facts["is_lower_better"] else "↑"
    return [
        facts["id"],
        facts["complexity"],
        facts["category"],
        f"{facts['metric']} {arrow}",
        gigabytes(facts["dataset_gb"]),
        "rehearsal" if facts["is_rehearsal"] else "yes" if facts["is_prepared"] else "no",
        len(facts.get("v1.1", {}).get("flags", ())) or "",
    ]
