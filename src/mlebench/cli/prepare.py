"""`mlebench prepare`: make public data and hidden answers."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from mlebench.cli.options import (
    json_option,
    make_registry,
    registry_options,
    selected_ids,
    selection_options,
)
from mlebench.cli.output import note, print_json
from mlebench.errors import BenchError


@click.command()
@selection_options
@registry_options
@click.option("--keep-raw", is_flag=True, help="Keep the archive and raw data afterwards.")
@click.option("--overwrite-checksums", is_flag=True, help="Accepted for compatibility.")
@click.option("--overwrite-leaderboard", is_flag=True, help="Fetch the full board again.")
@click.option(
    "--skip-verification", is_flag=True, help="Do not compare with the official checksums."
)
@click.option(
    "--rehearsal", is_flag=True, help="Make up a small synthetic archive and prepare that."
)
@click.option("--seed", default=0, show_default=True, help="Seed of the rehearsal data.")
@click.option("--scale", default=1, show_default=True, help="Size of the rehearsal data.")
@json_option
def command(
    ids: tuple[str, ...],
    everything: bool,
    lite: bool,
    list_file: Path | None,
    split: str | None,
    data_dir: Path | None,
    competitions_dir: tuple[Path, ...],
    rehearsal: bool,
    seed: int,
    scale: int,
    as_json: bool,
    **_: Any,
) -> None:
    """Prepare competitions from their archives."""
    from mlebench.data.prepare import Rehearsal, prepare

    registry = make_registry(data_dir, competitions_dir)
    outcomes = []
    for competition_id in selected_ids(registry, ids, everything, lite, list_file, split):
        start = time.monotonic()
        try:
            made = prepare(
                registry.get_competition(competition_id),
                Rehearsal(seed, scale) if rehearsal else None,
            )
            outcomes.append(
                {"competition_id": competition_id, "ok": True, "files": len(made.files)}
            )
            note(
                f"ok    {competition_id}  {len(made.files):,} files  {time.monotonic() - start:.1f} s"
            )
        except BenchError as error:
            outcomes.append({"competition_id": competition_id, "ok": False, "message": str(error)})
            note(f"fail  {competition_id}  {error}")
    if as_json:
        print_json({"schema": 1, "competitions": outcomes})
    if not all(outcome["ok"] for outcome in outcomes):
        raise click.exceptions.Exit(1)
