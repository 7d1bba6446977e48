"""The gateway's own process: opens an endpoint for each run that a worker asks for.

The first line of standard input holds settings and key; then workers connect to the control
socket. A run's endpoint is open as long as the connection that asked for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import resource
import secrets
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn

from mlebench.errors import BenchError
from mlebench.gateway.anthropic import Translator
from mlebench.gateway.application import MAX_BODY, Application, Shared
from mlebench.gateway.budget import Ledger
from mlebench.gateway.exchange import RunBook
from mlebench.gateway.keys import KeyFilter
from mlebench.gateway.prices import find_price
from mlebench.gateway.replay import Tape
from mlebench.gateway.settings import GatewaySettings, read_settings
from mlebench.gateway.trajectory import Trajectory
from mlebench.gateway.upstream import Upstream
from mlebench.http import HttpServer, listen_on_socket
from mlebench.system.children import die_with_parent

PR_SET_DUMPABLE = 4
MAX_RESTARTS = 20
RESTART_SECONDS = 0.2
M_MMAP_THRESHOLD = -3
MAPPED_BYTES = 1 << 20
MAX_LINE = 1 << 20
CONNECTIONS_PER_CALL = 4


class Gateway:
    """Holds the key, the ledger and the connections to the provider."""

    def __init__(self, settings: GatewaySettings, key: str, ledger: Path) -> None:
        self.settings = settings
        self.ledger = Ledger(ledger, settings.group_budget)
        upstream = None if settings.replay else Upstream(settings, key)
        needs_translation = settings.api == "anthropic" and upstream is not None
        self.shared = Shared(
            upstream,
            KeyFilter(key),
            asyncio.Semaphore(settings.max_concurrent),
            Translator() if needs_translation else None,
        )
        self.price = find_price(settings.prices, settings.model)

    async def close(self) -> None:
        if self.shared.upstream:
            await self.shared.upstream.close()
        self.ledger.close()

    @asynccontextmanager
    async def run(
        self, run_id: str, trajectory: Path, *, key: str, tape: Path | None = None
    ) -> AsyncIterator[tuple[HttpServer, RunBook]]:
        """A server for one run, and its book; the record is closed after it."""
        record = Trajectory(trajectory, self.shared.key_filter)
        book = RunBook(run_id, self.settings, record, self.ledger, self.price)
        record.add(
            "open",
            schema=1,
            run_id=run_id,
            model=self.settings.model,
            base_url=self.settings.base_url or None,
            replay=self.settings.replay,
        )
        answers = Tape(tape, self.settings.replay_mode) if tape else None
        application = Application(key, book, self.shared, answers)
        server = HttpServer(
            application,
            max_body_bytes=MAX_BODY,
            max_connections=CONNECTIONS_PER_CALL * self.settings.max_in_flight,
            max_large=1,
        )
        try:
            yield server, book
        finally:
            record.add("close", totals=book.describe())
            record.close()


@asynccontextmanager
async def control_socket(gateway: Gateway, control: Path) -> AsyncIterator[None]:
    """Listen for workers; whoever reaches the socket is trusted, its folder is private."""
    open_runs: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_serve_worker(gateway, reader, writer))
        open_runs.add(task)
        await asyncio.wait([task])
        open_runs.discard(task)
        writer.close()

    listening = await asyncio.start_unix_server(accept, str(control), limit=MAX_LINE)
    try:
        yield
    finally:
        listening.close()
        for task in open_runs:
            task.cancel()
        await asyncio.gather(*open_runs, return_exceptions=True)


async def _serve_worker(
    gateway: Gateway, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    wanted = await _read_line(reader)
    key = f"mlebench-{secrets.token_urlsafe(24)}"
    endpoint = Path(wanted["socket"])
    tape = Path(wanted["tape"]) if wanted.get("tape") else None
    try:
        async with gateway.run(
            wanted["run_id"], Path(wanted["trajectory"]), key=key, tape=tape
        ) as (server, book):
            with listen_on_socket(endpoint) as listener:
                serving = asyncio.create_task(server.serve(listener))
                try:
                    await _write_line(writer, {"key": key})
                    await _serve_commands(reader, writer, book)
                finally:
                    serving.cancel()
                    await asyncio.gather(serving, return_exceptions=True)
                    endpoint.unlink(missing_ok=True)
        await _write_line(writer, book.describe())
    except ConnectionError:
        return
    except (BenchError, OSError) as error:
        await _write_line(writer, {"error": str(error)})


async def _serve_commands(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, book: RunBook
) -> None:
    """Answer questions for totals until the worker closes the endpoint or is gone."""
    while line := await reader.readline():
        if json.loads(line)["command"] == "close":
            return
        await _write_line(writer, book.describe())


async def _read_line(reader: asyncio.StreamReader) -> dict[str, Any]:
    line = await reader.readline()
    if not line:
        raise ConnectionResetError
    return dict(json.loads(line))


async def _write_line(writer: asyncio.StreamWriter, data: dict[str, Any]) -> None:
    writer.write(json.dumps(data).encode() + b"\n")
    await writer.drain()


def main() -> None:
    """Serve until standard input ends: with the harness, the gateway goes too.

    A child serves; this process holds the start's words and replaces a child that was killed.
    """
    protect()
    start = json.loads(sys.stdin.readline())
    for number in range(MAX_RESTARTS + 1):
        child = os.fork()
        if child == 0:
            _serve_as_child(start, is_first=number == 0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            sys.exit(os.WEXITSTATUS(status))
        Path(start["control"]).unlink(missing_ok=True)
        time.sleep(RESTART_SECONDS)
    sys.exit(1)


def protect() -> None:
    """Let nobody of our own user look into this process, and memory go back soon."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_DUMPABLE, 0)
    if hasattr(libc, "mallopt"):
        # Memory of large requests goes back to the system at once.
        libc.mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _serve_as_child(start: dict[str, Any], *, is_first: bool) -> NoReturn:
    die_with_parent()
    status = 0
    try:
        asyncio.run(_serve(start, is_first=is_first))
    except BenchError as error:
        _tell({"error": str(error)})
        status = 1
    os._exit(status)


def _tell(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


async def _serve(start: dict[str, Any], *, is_first: bool) -> None:
    gateway = Gateway(read_settings(start["settings"]), start["key"], Path(start["ledger"]))
    async with control_socket(gateway, Path(start["control"])):
        if is_first:
            _tell({"ready": True})
        with contextlib.suppress(OSError):
            await _end_of_input()
    await gateway.close()


async def _end_of_input() -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass
