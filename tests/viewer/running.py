"""A viewer in a thread of the test, and a client that can send anything."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mlebench.catalogue import Catalogue
from mlebench.http import HttpServer
from mlebench.viewer.application import Application
from mlebench.viewer.guard import Guard


@dataclass
class Answer:
    """A whole reply."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass
class Viewer:
    """A viewer that listens on loopback."""

    application: Application
    port: int
    token: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        return f"mlebench-view-{self.port}={self.token}"

    def sign_in(self, page: Any) -> None:
        """What the first visit of the printed address does."""
        name, _, value = self.cookie.partition("=")
        page.context.add_cookies([{"name": name, "value": value, "url": self.url}])

    def ask(
        self, path: str, method: str = "GET", *, is_known: bool = True, **headers: str
    ) -> Answer:
        """One request, with the cookie if known; header names with underscores for hyphens."""
        if is_known:
            headers.setdefault("Cookie", self.cookie)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.putrequest(method, path, skip_host="Host" in named)
            for name, value in named.items():
                connection.putheader(name, value)
            connection.endheaders()
            reply = connection.getresponse()
            found = {name.lower(): value for name, value in reply.getheaders()}
            return Answer(reply.status, found, reply.read())
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """The data of a reply that must be there."""
        answer = self.ask(path)
        assert answer.status == 200, (path, answer.status, answer.body[:500])
        return answer.data

    def first_run(self, view: str = "") -> str:
        """The path of the first run of the index."""
        index = self.get("/api/index")
        return self.run_path(index["groups"][0]["id"], index["runs"]["key"][0], view)

    def run_path(self, group: str, key: str, view: str = "") -> str:
        return f"/api/g/{quote(group, safe='')}/r/{key}{view}"


@contextmanager
def running_viewer(
    root: Path,
    cache_dir: Path,
    *,
    catalogue: Catalogue | None = None,
    token: str = "token-of-the-tests",
    is_public: bool = False,
    only: str | None = None,
    kernels: Path | None = None,
) -> Iterator[Viewer]:
    """Serves until the block ends."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    application = Application(
        root,
        catalogue or Catalogue(),
        Guard(port, token, is_public=is_public),
        cache_dir=cache_dir,
        only=only,
        kernels=kernels,
    )
    loop = asyncio.new_event_loop()
    started: list[asyncio.Task[None]] = []

    async def serve() -> None:
        server = HttpServer(application, max_body_bytes=0, max_connections=256)
        started.append(asyncio.create_task(server.serve(listener)))
        await asyncio.gather(*started, return_exceptions=True)

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    try:
        yield Viewer(application, port, token)
    finally:
        loop.call_soon_threadsafe(lambda: [task.cancel() for task in started])
        thread.join(timeout=60)
        loop.close()
        listener.close()
        application.close()
