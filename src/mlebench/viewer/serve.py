"""Starting and ending the viewer."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.http import HttpServer
from mlebench.viewer.application import Application
from mlebench.viewer.guard import make_guard
from mlebench.viewer.store import default_cache_dir

DEFAULT_PORT = 7575
PORTS_TRIED = 100
MAX_CONNECTIONS = 256


@dataclass(frozen=True)
class ShownRuns:
    """The runs folder, or one group of it."""

    root: Path
    only: str | None = None


def find_place(runs: Path) -> ShownRuns:
    """What a user means by a folder: all runs in it, or the group that it is."""
    if not runs.is_dir():
        raise UsageError(
            f"there is no runs folder {runs}",
            hint="make runs: mlebench run --agent dummy -c spaceship-titanic --rehearsal",
        )
    folder = runs.resolve()
    if (folder / "metadata.json").is_file():
        return ShownRuns(folder.parent, folder.name)
    return ShownRuns(folder)


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on the port, or on the next one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, port + PORTS_TRIED if port else 1):
        try:
            return socket.create_server((host, number), family=family, backlog=128)
        except OverflowError:
            break
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UsageError(f"cannot listen on {host}:{number}: {error.strerror}") from None
    raise UsageError(f"no port from {port} on is free", hint="--port 0 takes any that is")


def address(host: str, port: int, token: str) -> str:
    """Where to point a browser of this machine."""
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
    cache_dir: Path | None = None,
) -> None:
    """Answer until a signal asks for the end."""
    port = listener.getsockname()[1]
    guard = make_guard(host, port)
    application = Application(
        place.root,
        catalogue,
        guard,
        cache_dir=cache_dir or default_cache_dir(),
        only=place.only,
    )
    try:
        asyncio.run(
            _until_signal(application, listener, address(host, port, guard.token), on_start)
        )
    finally:
        application.index.close()


async def _until_signal(
    application: Application,
    listener: socket.socket,
    url: str,
    on_start: Callable[[str], None],
) -> None:
    server = HttpServer(application, max_body_bytes=0, max_connections=MAX_CONNECTIONS)
    serving = asyncio.create_task(server.serve(listener))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, serving.cancel)
    # The folder is read while the browser starts.
    reading = asyncio.create_task(asyncio.to_thread(application.index.refresh))
    on_start(url)
    try:
        await serving
    except asyncio.CancelledError:
        pass
    finally:
        reading.cancel()
