"""`mlebench gateway`: the model gateway on its own, for other harnesses."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.cli.help import bench_command
from mlebench.cli.model_options import gateway_settings, model_options
from mlebench.cli.output import note
from mlebench.cli.serving import address_options, listen, stop_on_signals

if TYPE_CHECKING:
    from mlebench.gateway.settings import GatewaySettings


@bench_command()
@model_options
@address_options(5001)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("gateway"),
    help="Folder for trajectory and budget; an existing budget is continued.",
)
@click.option("--json", "as_json", is_flag=True, help="Print address and key as JSON, to stdout.")
def command(host: str, port: int, folder: Path, as_json: bool, **options: Any) -> None:
    """Start a proxy between agents and a model provider that keeps the key, a record and budgets.

    \b
    Examples:
      mlebench gateway --model gpt-4.1 --max-cost 5
      mlebench gateway --model qwen3 --base-url http://localhost:8000/v1 --port 5001
      mlebench gateway --model gpt-4.1 --replay gateway/trajectory.jsonl --folder again
    """
    from mlebench.gateway.client import client_variables
    from mlebench.gateway.keys import take_key
    from mlebench.gateway.server import new_run_key

    settings = gateway_settings(options)
    if settings is None:
        raise click.UsageError("name the model: --model NAME")
    needs_key = settings.replay is None
    key = take_key(options["api_key_env"], is_optional=settings.is_local) if needs_key else ""
    folder.mkdir(parents=True, exist_ok=True)
    own_key = new_run_key()
    listener, url = listen(host, port)
    with listener:
        if as_json:
            print(
                json.dumps({"schema": 1, "base_url": f"{url}/v1", "api_key": own_key}), flush=True
            )
        else:
            note(f"forwarding {settings.model}; record and budget in {folder}")
            words = [f"{k}={v}" for k, v in client_variables(url, own_key).items()]
            note("for agents: " + " ".join(words))
        stop_on_signals()
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(settings, key, own_key, folder, listener))


async def _serve(
    settings: GatewaySettings, key: str, own_key: str, folder: Path, listener: socket.socket
) -> None:
    from mlebench.gateway.replay import find_recording
    from mlebench.gateway.server import Gateway

    recording = find_recording(Path(settings.replay), "gateway", 0) if settings.replay else None
    gateway = Gateway(settings, key, folder / "budget.jsonl")
    try:
        record = folder / "trajectory.jsonl"
        async with gateway.run("gateway", record, key=own_key, recording=recording) as (server, _):
            await server.serve(listener)
    finally:
        await gateway.close()
