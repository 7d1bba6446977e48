"""`mlebench dev`: commands for maintainers."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import BenchGroup
from mlebench.cli.options import competition_option, data_options, json_option
from mlebench.cli.output import exit_if, note, print_json
from mlebench.errors import BenchError


@click.group(cls=BenchGroup)
def command() -> None:
    """Commands for maintainers.

    \b
    Examples:
      mlebench dev download-leaderboard -c spaceship-titanic
      mlebench dev download-leaderboard --all
      mlebench dev download-leaderboard --help
    """


@command.command("download-leaderboard")
@competition_option("ids", multiple=True)
@click.option("--all", "everything", is_flag=True, help="All competitions on Kaggle.")
@click.option("--force", is_flag=True, help="Accept a leaderboard with fewer rows.")
@data_options
@json_option
def download_leaderboard(
    ids: tuple[str, ...], everything: bool, force: bool, catalogue: Catalogue, as_json: bool
) -> None:
    """Download full private leaderboards from Kaggle; a failure does not stop the rest.

    \b
    Examples:
      mlebench dev download-leaderboard -c spaceship-titanic
      mlebench dev download-leaderboard --all
      mlebench dev download-leaderboard -c spaceship-titanic --force
    """
    if bool(ids) == everything:
        raise click.UsageError("name the leaderboards: either -c ID or --all")
    chosen = ids or [i for split in ("all", "dev") for i in catalogue.get_split(split)]
    for competition_id in chosen:
        catalogue.require_known(competition_id)
    outcomes = [_download(catalogue, competition_id, force) for competition_id in chosen]
    if as_json:
        print_json({"leaderboards": outcomes})
    exit_if(not all(outcome["ok"] for outcome in outcomes))


def _download(catalogue: Catalogue, competition_id: str, force: bool) -> dict[str, Any]:
    from mlebench.kaggle.leaderboards import download_leaderboard

    try:
        board = download_leaderboard(catalogue.get_competition(competition_id), force=force)
    except BenchError as error:
        note(f"fail  {competition_id}  {error}" + (f" ({error.hint})" if error.hint else ""))
        return {"competition_id": competition_id, "ok": False, "message": str(error)}
    before = "" if board.rows_before is None else f", {board.rows_before:,} before"
    note(f"ok    {competition_id}  {board.rows:,} rows{before}  {board.path}")
    return {"competition_id": competition_id, "ok": True, **asdict(board), "path": str(board.path)}
