"""`mlebench show`: show one competition."""

from __future__ import annotations

from typing import Any

import click

from mlebench.catalogue import Catalogue, LocatedCompetition, facts_of
from mlebench.catalogue.catalogue import chance_of, load_changes, revision_facts
from mlebench.cli.help import bench_command
from mlebench.cli.options import catalogue_options, competition_argument, json_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.version import option_for


@bench_command()
@competition_argument
@click.option("--description", is_flag=True, help="Print the task description instead.")
@click.option("--obfuscated", is_flag=True, help="Print the obfuscated description instead.")
@catalogue_options
@json_option
def command(
    competition_id: str, description: bool, obfuscated: bool, catalogue: Catalogue, as_json: bool
) -> None:
    """Show the facts, thresholds, metric and files of a competition.

    \b
    Examples:
      mlebench show spaceship-titanic
      mlebench show spaceship-titanic --description
      mlebench show spaceship-titanic --json
    """
    competition = catalogue.get_competition(competition_id)
    if description or obfuscated:
        text = competition.obfuscated_description if obfuscated else competition.description
        click.echo(text)
        return
    facts = collect_facts(competition)
    if as_json:
        print_json(facts)
        return
    click.secho(f"{facts['title']}  ({competition.id})", bold=True)
    plain = {name: value for name, value in facts.items() if not isinstance(value, list | dict)}
    rows = [[name.replace("_", " "), value] for name, value in plain.items()]
    print_table(("fact", "value"), rows)
    board = facts["thresholds"]
    print_table(("medal", "score"), [[medal, board[medal]] for medal in board], right="score")
    for fault in facts["faults"]:
        click.echo(f"known fault: {fault}")
    for fix in facts["fixes"]:
        click.echo(f"fixed: {fix['fault']}; now: {fix['change']}")
    if chance := facts["chance_medal"]:
        click.echo(f"medal by chance: {describe_chance(chance)}")
    for flag in facts["v1.1"]["flags"]:
        click.echo(f"flag of v1.1: {flag}")
    if files := [[name, f"{size:,}"] for name, size in facts["files"].items()]:
        print_table(("file", "bytes"), files, right="bytes")
        note(
            f"next: mlebench run --agent dummy -c {competition.id}{option_for(catalogue.revision)}"
        )
    else:
        click.echo(f"not prepared; run: {competition.prepare_command}")


def describe_chance(chance: dict[str, Any]) -> str:
    rows = f"{chance['test_rows']:,} test rows{' (estimated)' if chance['is_estimated'] else ''}"
    return f"{chance['any_medal']:.1%} ({rows}; {chance['method']})"


def collect_facts(competition: LocatedCompetition) -> dict[str, Any]:
    """Facts of the definition, the leaderboard and, if prepared, the files."""
    from mlebench.records.manifest import read_manifest

    board = competition.load_leaderboard()
    manifest = read_manifest(competition.folder)
    files = manifest.files if manifest else {}
    changes = competition.changes or load_changes(competition.home)
    return facts_of(competition.definition) | {
        "revision": competition.revision,
        "scoring": changes.scoring if competition.changes else "scored",
        **_faults_or_fixes(competition),
        **revision_facts(changes, competition.definition),
        "chance_medal": chance_of(competition.id),
        "teams": board.teams,
        "thresholds": {
            name: getattr(board.thresholds, name) for name in ("gold", "silver", "bronze", "median")
        },
        "board": "rebuilt from its summary" if board.is_rebuilt else "full",
        "board_kind": board.kind,
        "share_at_bronze": round(board.share_at_bronze, 4),
        "share_with_one_score": round(board.share_with_one_score, 4),
        "rows_removed": board.rows_removed,
        "sample_submission": competition.definition.sample_submission,
        "is_prepared": manifest is not None,
        "is_rehearsal": bool(manifest and manifest.is_rehearsal),
        "folder": str(competition.folder.path),
        "files": {name: facts["size"] for name, facts in files.items()},
    }


def _faults_or_fixes(competition: LocatedCompetition) -> dict[str, list[Any]]:
    """The faults of v1, or what v1.1 does about them."""
    if competition.changes is None:
        return {"faults": list(map(str, competition.definition.faults)), "fixes": []}
    fixes = [
        {"fault": fix.fault, "change": fix.change, "issue": fix.issue}
        for fix in competition.changes.fixes
    ]
    return {"faults": [], "fixes": fixes}
