"""`mlebench serve`: the validation server on its own."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from mlebench.catalogue import Catalogue
from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, catalogue_options, competition_option
from mlebench.cli.output import note
from mlebench.cli.serving import address_options, listen, stop_on_signals

MOST_AT_ONCE = 8
"""How many files are validated at the same time; each needs memory and a processor."""


@bench_command()
@competition_option("competition_id", required=True)
@address_options(5000)
@click.option("--record", type=PATH, help="A JSONL file for every call.")
@click.option("--per-minute", type=click.IntRange(1), help="The most validations per minute.")
@catalogue_options
def command(
    competition_id: str,
    host: str,
    port: int,
    record: Path | None,
    per_minute: int | None,
    catalogue: Catalogue,
) -> None:
    """Answer POST /validate (form field `file`) and GET /health, as the published server does.

    \b
    Examples:
      mlebench serve -c spaceship-titanic --data-dir data
      mlebench serve -c spaceship-titanic --port 8000 --record calls.jsonl
      curl -F file=@submission.csv http://localhost:5000/validate
    """
    competition = catalogue.get_competition(competition_id)

    from mlebench.system.threads import processors
    from mlebench.validation import ValidationServer

    listener, url = listen(host, port)
    server = ValidationServer(
        competition,
        socket=listener,
        log=record,
        per_minute=per_minute,
        at_once=min(processors(), MOST_AT_ONCE),
    )
    with listener, server:
        note(f"validating {competition_id}, revision {catalogue.revision}, on {url}/validate")
        stop_on_signals()
        with suppress(KeyboardInterrupt):
            server.wait()
