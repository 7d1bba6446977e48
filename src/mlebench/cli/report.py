"""`mlebench report`: aggregate runs and grading reports over seeds."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.cli.options import json_option, make_registry, registry_options
from mlebench.cli.output import note, print_json, print_table


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--split", help="One split: low (lite), medium, high, all, dev, starter.")
@click.option("--seeds", type=click.IntRange(1), help="How many there should be.")
@click.option("--pad-missing", is_flag=True, help="Count missing competitions as failures.")
@click.option(
    "--allow-mixed", is_flag=True, help="Average reports that differ in their conditions."
)
@click.option("--html", type=click.Path(path_type=Path), help="Write a one-file report.")
@registry_options
@json_option
def command(
    sources: tuple[Path, ...],
    split: str | None,
    seeds: int | None,
    pad_missing: bool,
    allow_mixed: bool,
    html: Path | None,
    data_dir: Path | None,
    competitions_dir: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Percentages of submissions and medals: mean ± standard error over seeds.

    SOURCES are run groups, folders of them, or grading reports, ours or published ones. The k-th
    report of a competition is its seed k.

    \b
    Examples:
      mlebench report runs/my-group
      mlebench report group1.json group2.json group3.json --split lite
      mlebench report runs --pad-missing --html report.html
    """
    from mlebench.results.aggregate import SPLITS, present_splits, summarize
    from mlebench.results.attempts import differences, load_attempts, require_comparable
    from mlebench.results.tables import summary_json, summary_rows

    registry = make_registry(data_dir, competitions_dir)
    attempts = load_attempts(sources)
    if not allow_mixed:
        require_comparable(attempts)
    if split:
        splits = {split: registry.get_split(split)}
    else:
        known = {name: registry.get_split(name) for name in (*SPLITS, "dev", "starter")}
        splits = known if pad_missing else present_splits(attempts, known)
        splits = {name: ids for name, ids in splits.items() if name in SPLITS} or splits
    summary = summarize(attempts, splits, seeds=seeds, pad_missing=pad_missing)
    if html:
        from mlebench.results.page import write_page

        write_page(attempts, summary, registry, html)
    mixed = differences(attempts)
    if as_json:
        print_json({"schema": 1, "splits": summary_json(summary), "mixed": mixed})
        return
    head, rows = summary_rows(summary)
    print_table(head, rows, right=" ".join(head[1:]))
    for name, values in mixed.items():
        note(f"warning: these reports differ in {name}: {', '.join(values)}")
    padded = sum(s.padded for s in summary.values())
    if padded:
        note(f"{padded} missing reports count as failures")
    if html:
        note(f"page: {html}")
