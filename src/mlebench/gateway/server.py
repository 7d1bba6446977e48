"""The gateway's own process: serves an endpoint for each run that a worker asks for.

The messages are in `control.py`. A run's endpoint is open as long as its worker's connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import resource
import secrets
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NoReturn

from mlebench.errors import BenchError
from mlebench.gateway.application import MAX_BODY, GatewayApplication
from mlebench.gateway.budget import BudgetLog
from mlebench.gateway.control import (
    ControlAnswer,
    EndpointCommand,
    EndpointRequest,
    GatewayStart,
    decode_line,
    encode_line,
)
from mlebench.gateway.exchange import RunAccount
from mlebench.gateway.forwarding import SharedParts
from mlebench.gateway.keys import KeyFilter
from mlebench.gateway.prices import find_price
from mlebench.gateway.replay import Recording
from mlebench.gateway.settings import GatewaySettings
from mlebench.gateway.trajectory import Trajectory
from mlebench.gateway.upstream import Upstream
from mlebench.http import HttpServer, listen_on_socket
from mlebench.records.trajectory import CloseEntry, OpenEntry
from mlebench.system.children import die_with_parent, run_in_child

PR_SET_DUMPABLE = 4
M_MMAP_THRESHOLD = -3
MAPPED_BYTES = 1 << 20
MAX_LINE = 1 << 20
CONNECTIONS_PER_CALL = 4


class Gateway:
    """Holds the key, the budget log and the connections to the provider."""

    def __init__(self, settings: GatewaySettings, key: str, budget_log: Path) -> None:
        self.settings = settings
        self.budget_log = BudgetLog(budget_log, settings.group_budget)
        upstream = None if settings.replay else Upstream(settings, key)
        self.shared = SharedParts(
            upstream, KeyFilter(key), asyncio.Semaphore(settings.max_concurrent)
        )
        self.price = find_price(settings.prices, settings.model)

    async def close(self) -> None:
        if self.shared.upstream:
            await self.shared.upstream.close()
        self.budget_log.close()

    @asynccontextmanager
    async def run(
        self, run_id: str, trajectory: Path, *, key: str, recording: Path | None = None
    ) -> AsyncIterator[tuple[HttpServer, RunAccount]]:
        """A server for one run and its account; the record is closed when the context ends."""
        record = Trajectory(trajectory, self.shared.key_filter)
        account = RunAccount(run_id, self.settings, record, self.budget_log, self.price)
        record.add(
            OpenEntry(
                run_id=run_id,
                model=self.settings.model,
                base_url=self.settings.base_url or None,
                replay=self.settings.replay,
            )
        )
        answers = Recording(recording, self.settings.replay_mode) if recording else None
        application = GatewayApplication(key, account, self.shared, answers)
        server = HttpServer(
            application,
            max_body_bytes=MAX_BODY,
            max_connections=CONNECTIONS_PER_CALL * self.settings.max_in_flight,
            on_refused=application.note_refused,
        )
        try:
            yield server, account
        finally:
            record.add(CloseEntry(totals=account.describe()))
            record.close()


@asynccontextmanager
async def control_socket(gateway: Gateway, control: Path) -> AsyncIterator[None]:
    """Listen for workers; a client is trusted, because the socket's folder is private."""
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
    line = await reader.readline()
    if not line:
        return
    request = decode_line(line, EndpointRequest)
    key = new_run_key()
    path = Path(request.socket)
    recording = Path(request.recording) if request.recording else None
    try:
        async with gateway.run(
            request.run_id, Path(request.trajectory), key=key, recording=recording
        ) as (server, account):
            with listen_on_socket(path) as listener:
                serving = asyncio.create_task(server.serve(listener))
                try:
                    await _answer(writer, ControlAnswer(key=key))
                    await _serve_commands(reader, writer, account)
                finally:
                    serving.cancel()
                    await asyncio.gather(serving, return_exceptions=True)
                    path.unlink(missing_ok=True)
        await _answer(writer, ControlAnswer(totals=account.describe()))
    except ConnectionError:
        return
    except (BenchError, OSError) as error:
        await _answer(writer, ControlAnswer(error=str(error)))


async def _serve_commands(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, account: RunAccount
) -> None:
    """Answer questions for totals until the worker closes the endpoint or is gone."""
    while line := await reader.readline():
        if decode_line(line, EndpointCommand).command == "close":
            return
        await _answer(writer, ControlAnswer(totals=account.describe()))


async def _answer(writer: asyncio.StreamWriter, answer: ControlAnswer) -> None:
    writer.write(encode_line(answer))
    await writer.drain()


def new_run_key() -> str:
    """A throw-away key that is worth nothing outside its run."""
    return f"mlebench-{secrets.token_urlsafe(24)}"


def main() -> None:
    """Serve until standard input ends, which it does when the harness ends.

    A child serves; this process keeps the start message and replaces a child that was killed.
    """
    protect()
    start = decode_line(sys.stdin.readline(), GatewayStart)
    sys.exit(run_in_child(lambda number: _serve_as_child(start, is_first=number == 0)))


def protect() -> None:
    """Keep other processes of our user from reading this one's memory; free memory early."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_DUMPABLE, 0)
    if hasattr(libc, "mallopt"):
        # Return the memory of large requests to the system at once.
        libc.mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _serve_as_child(start: GatewayStart, *, is_first: bool) -> NoReturn:
    die_with_parent()
    status = 0
    try:
        asyncio.run(_serve(start, is_first=is_first))
    except BenchError as error:
        _tell(ControlAnswer(error=str(error)))
        status = 1
    os._exit(status)


def _tell(answer: ControlAnswer) -> None:
    sys.stdout.buffer.write(encode_line(answer))
    sys.stdout.buffer.flush()


async def _serve(start: GatewayStart, *, is_first: bool) -> None:
    gateway = Gateway(start.settings, start.key, Path(start.budget_log))
    async with control_socket(gateway, Path(start.control)):
        if is_first:
            _tell(ControlAnswer(is_ready=True))
        with contextlib.suppress(OSError):
            await _end_of_input()
    await gateway.close()


async def _end_of_input() -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass
