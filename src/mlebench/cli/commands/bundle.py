"""`mlebench bundle`: results in one file that others can check."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import BenchGroup
from mlebench.cli.options import (
    PATH,
    GroupOrPath,
    jobs_option,
    json_option,
    stated_catalogue_options,
)
from mlebench.cli.output import exit_if, note, print_json, print_result, print_table

MAX_SHOWN = 5


@click.group(cls=BenchGroup)
def command() -> None:
    """Make a bundle of results, or check one.

    \b
    Examples:
      mlebench bundle make runs/my-group --out my-agent.zip --name my-agent
      mlebench bundle check my-agent.zip
      mlebench bundle check my-agent.zip --grade
    """


@command.command("make")
@click.argument("sources", nargs=-1, required=True, type=GroupOrPath())
@click.option("--out", type=PATH, required=True, help="The zip to write.")
@click.option(
    "--name",
    default="",
    show_default=False,
    help="The agent's name in the table; default: its own name.",
)
@click.option("--model", default="", show_default=False, help="The models it used.")
@click.option("--split", help="One split; default: those that the runs belong to, as for `report`.")
@click.option("--seeds", type=click.IntRange(1), help="The expected number of seeds.")
@click.option("--pad-missing", is_flag=True, help="Count missing competitions as failures.")
@click.option(
    "--submissions", is_flag=True, help="Include the submissions, so that others can grade them."
)
@click.option(
    "--disclosure",
    type=PATH,
    help="A TOML file with facts that the records lack, such as external_data.",
)
@stated_catalogue_options
@json_option
def make(
    sources: tuple[Path, ...],
    out: Path,
    name: str,
    model: str,
    split: str | None,
    seeds: int | None,
    pad_missing: bool,
    submissions: bool,
    disclosure: Path | None,
    stated_revision: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> None:
    """Write reports, records, ledgers and hashes of one agent into a zip; no personal data.

    \b
    Examples:
      mlebench bundle make runs/my-group --out my-agent.zip
      mlebench bundle make runs --out my-agent.zip --name my-agent --model gpt-4.1 --pad-missing
      mlebench bundle make runs/my-group --out my-agent.zip --submissions
      mlebench bundle make runs/my-group --out my-agent.zip --disclosure disclosure.toml
    """
    from mlebench.errors import UsageError
    from mlebench.records.disclosure import read_claims
    from mlebench.results.aggregate import summarize_all
    from mlebench.results.attempts import by_agent, load_attempts, of_revision, require_comparable
    from mlebench.results.bundle import write_bundle

    attempts = of_revision(load_attempts(sources), stated_revision)
    require_comparable(attempts)
    agents = list(by_agent(attempts))
    if len(agents) > 1:
        raise UsageError(f"a bundle contains one agent, found {', '.join(agents)}")
    found = summarize_all(attempts, catalogue, split, seeds=seeds, pad_missing=pad_missing)
    (summary,) = found.values()
    if "these" in summary:
        raise UsageError(
            "the runs cover no complete split",
            hint="--pad-missing counts missing competitions as failures",
        )
    count = write_bundle(
        attempts,
        summary,
        out,
        name=name or agents[0],
        models=model,
        submissions=submissions,
        claims=read_claims(disclosure) if disclosure else None,
    )
    if any(attempt.data not in (None, "real") for attempt in attempts):
        note("warning: results on rehearsal or starter data do not count for a leaderboard")
    print_result(
        {"bundle": str(out), "files": count, "attempts": len(attempts)},
        f"bundle: {out}  ({len(attempts):,} attempts, {count:,} files)",
        f"next: mlebench bundle check {out}",
        as_json=as_json,
    )


@command.command("check")
@click.argument("bundle", type=PATH)
@click.option("--grade", is_flag=True, help="Grade the submissions in it again.")
@jobs_option
@stated_catalogue_options
@json_option
def check(
    bundle: Path,
    grade: bool,
    jobs: int,
    stated_revision: str | None,
    catalogue: Catalogue,
    as_json: bool,
) -> None:
    """Recompute every figure and compare every claim; exit code 1 with the differences.

    \b
    Examples:
      mlebench bundle check my-agent.zip
      mlebench bundle check my-agent.zip --grade -j 4
      mlebench bundle check my-agent.zip --json
    """
    from dataclasses import asdict

    from mlebench.records.codec import to_json
    from mlebench.results.bundle_check import check_bundle
    from mlebench.results.tables import leaderboard_rows

    found = check_bundle(bundle, catalogue, revision=stated_revision, grade=grade, jobs=jobs)
    if as_json:
        facts = asdict(found) | {"disclosure": to_json(found.disclosure)}
        print_json({"ok": not found.problems, **facts})
    else:
        for text in found.notes:
            note(f"note: {text}")
        if found.problems:
            note(f"fail  {bundle}: {found.problems[0]}")
            for text in found.problems[1:MAX_SHOWN]:
                note(f"      {text}")
            if len(found.problems) > MAX_SHOWN:
                note(f"      {len(found.problems):,} differences in all; --json lists them")
        else:
            again = f", {found.graded_again} graded again" if grade else ""
            note(f"ok    {bundle}: {found.attempts:,} attempts, all figures confirmed{again}")
            note(f"level: {found.level} (docs: fair-results)")
            if found.row:
                head, rows = leaderboard_rows([found.row])
                print_table(head[1:], [row[1:] for row in rows])
    exit_if(found.problems)
