"""`mlebench serve`: the validation server on its own."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import catalogue_options, complete_ids, make_catalogue
from mlebench.cli.output import note
from mlebench.cli.stopping import stop_on_signals

MOST_AT_ONCE = 8
"""Files validated at the same time; each takes memory and a processor."""


@bench_command()
@click.option("-c", "--competition-id", required=True, shell_complete=complete_ids, help="Which.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to bind to.")
@click.option(
    "--port",
    default=5000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="0: any free one.",
)
@click.option("--record", type=click.Path(path_type=Path), help="A JSONL file for every call.")
@click.option("--per-minute", type=click.IntRange(1), help="Validations per minute.")
@catalogue_options
def command(
    competition_id: str,
    host: str,
    port: int,
    record: Path | None,
    per_minute: int | None,
    data_dir: Path | None,
    competitions_dir: tuple[Path, ...],
) -> None:
    """Answer POST /validate (form field `file`) and GET /health, as the published server does.

    \b
    Examples:
      mlebench serve -c spaceship-titanic --data-dir data
      mlebench serve -c spaceship-titanic --port 8000 --record calls.jsonl
      curl -F file=@submission.csv http://localhost:5000/validate
    """
    competition = make_catalogue(data_dir, competitions_dir).get_competition(competition_id)

    from mlebench.errors import UsageError
    from mlebench.metrics.threads import processors
    from mlebench.validation import ValidationServer

    try:
        listener = socket.create_server((host, port), backlog=256)
    except OSError as error:
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    server = ValidationServer(
        competition,
        socket=listener,
        log=record,
        per_minute=per_minute,
        at_once=min(processors(), MOST_AT_ONCE),
    )
    with listener, server:
        address = listener.getsockname()
        note(f"validating {competition_id} on http://{address[0]}:{address[1]}/validate")
        stop_on_signals()
        with suppress(KeyboardInterrupt):
            server.wait()
