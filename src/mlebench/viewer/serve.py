"""Start and stop the viewer."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.http import HttpServer
from mlebench.viewer.application import Application
from mlebench.viewer.guard import make_guard
from mlebench.viewer.store import default_cache_dir

PORTS_TRIED = 100
MAX_CONNECTIONS = 256


@dataclass(frozen=True)
class ShownRuns:
    """The runs folder, or one group of it."""

    root: Path
    only: str | None = None


def find_place(runs: Path) -> ShownRuns:
    """The runs in a folder; if the folder is a group, only that group."""
    if not runs.is_dir():
        raise UsageError(
            f"there is no runs folder {runs}",
            hint="start a run: mlebench run --agent dummy -c spaceship-titanic --rehearsal",
        )
    folder = runs.resolve()
    if (folder / "metadata.json").is_file():
        return ShownRuns(folder.parent, folder.name)
    return ShownRuns(folder)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on the port, or on the next port that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, port + PORTS_TRIED if port else 1):
        try:
            return socket.create_server((host, number), family=family, backlog=128)
        except OverflowError:
            break
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UsageError(f"cannot listen on {host}:{number}: {error.strerror}") from None
    raise UsageError(f"no port from {port} on is free", hint="use any free port: --port 0")


def address(host: str, port: int, token: str) -> str:
    """The address for a browser on this machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/?token={token}"


def serve(
    listener: socket.socket,
    host: str,
    place: ShownRuns,
    catalogue: Catalogue,
    *,
    on_start: Callable[[str], None],
    kernels: Path | None = None,
) -> None:
    """Answer requests until SIGINT or SIGTERM."""
    port = listener.getsockname()[1]
    guard = make_guard(host, port)
    cache = default_cache_dir()
    application = Application(
        place.root, catalogue, guard, cache_dir=cache, only=place.only, kernels=kernels
    )
    url = address(host, port, guard.token)
    try:
        asyncio.run(_until_signal(application, listener, url, on_start))
    finally:
        application.close()


async def _until_signal(
    application: Application, listener: socket.socket, url: str, on_start: Callable[[str], None]
) -> None:
    server = HttpServer(application, max_body_bytes=0, max_connections=MAX_CONNECTIONS)
    serving = asyncio.create_task(server.serve(listener))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, serving.cancel)
    # While the browser starts.
    reading = asyncio.create_task(asyncio.to_thread(application.prepare))
    on_start(url)
    try:
        with suppress(asyncio.CancelledError):
            await serving
    finally:
        reading.cancel()
