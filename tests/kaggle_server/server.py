"""KaggleServer: a thread that answers the official client, on a free port or on its test port.

The client's test environment is bound to http://localhost:7777. It honours the usual proxy
variables, so the server on a free port plays the proxy: nothing leaves the machine, and servers of
parallel tests do not collide.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from typing import Any

from .contest import Contest
from .faults import Fault

CLIENT_TEST_PORT = 7777
SECONDS_TO_FINISH = 20


@dataclass(frozen=True)
class Request:
    """One request as the server saw it."""

    endpoint: str
    """`DownloadDataFiles`, `GetLeaderboard` … or `storage`."""

    contest_id: str | None
    status: int
    byte_range: str | None
    authorization: str | None
    """`Basic`, `Bearer` or nothing."""

    bytes_sent: int
    """Of the body."""


class KaggleServer:
    """The stand-in; use it as a context manager.

    Args:
        port: 0 takes any free port; 7777 is where the client looks without a proxy variable.
    """

    def __init__(self, port: int = 0) -> None:
        from .handler import Handler

        self.contests: dict[str, Contest] = {}
        self.keys = {"stand-in": "right-key"}
        """User names and their keys."""

        self.tokens = {"KGAT_right": "stand-in"}
        """API tokens and access tokens, and whose they are."""

        self.refresh_tokens = {"refresh-right": "KGAT_right"}
        self._requests: list[Request] = []
        self._answering = 0
        self._faults: dict[str, deque[Fault]] = defaultdict(deque)
        self._links: dict[str, str] = {}
        self._lock = threading.Condition()
        self._http = _Http(("127.0.0.1", port), Handler)
        self._http.stand_in = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def environment(self) -> dict[str, str]:
        """Variables that lead the official client here and nowhere else."""
        address = f"http://127.0.0.1:{self.port}"
        variables = {"KAGGLE_API_ENVIRONMENT": "TEST", "no_proxy": "", "NO_PROXY": ""}
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            variables |= {name: address, name.upper(): address}
        return variables

    @property
    def credentials(self) -> dict[str, str]:
        """Variables of a user whom the server knows."""
        user, key = next(iter(self.keys.items()))
        return {"KAGGLE_USERNAME": user, "KAGGLE_KEY": key}

    def add(self, contest: Contest) -> Contest:
        self.contests[contest.id] = contest
        return contest

    def fail(self, endpoint: str, *faults: Fault) -> None:
        """Let the next requests of an endpoint go wrong, one fault each, in this order."""
        with self._lock:
            self._faults[endpoint].extend(faults)

    def next_fault(self, endpoint: str) -> Fault | None:
        with self._lock:
            waiting = self._faults[endpoint]
            return waiting.popleft() if waiting else None

    def make_link(self, contest_id: str) -> str:
        """A signed address that works once, as Kaggle's storage creates them."""
        signature = secrets.token_hex(8)
        with self._lock:
            self._links[signature] = contest_id
        # Another host than the API's, so that the client takes its credentials off.
        return f"http://127.0.0.1:{CLIENT_TEST_PORT}/storage/archive.zip?signature={signature}"

    def follow_link(self, signature: str) -> Contest | None:
        with self._lock:
            contest_id = self._links.pop(signature, None)
        return self.contests.get(contest_id) if contest_id else None

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Around the answer to one request, with its note: `requests` waits for the end of it."""
        with self._lock:
            self._answering += 1
        try:
            yield
        finally:
            with self._lock:
                self._answering -= 1
                self._lock.notify_all()

    def note(self, request: Request) -> None:
        with self._lock:
            self._requests.append(request)

    @property
    def requests(self) -> list[Request]:
        """The requests so far.

        A client has its answer before the server has counted the bytes, so this waits for answers
        that are being sent.
        """
        with self._lock:
            if not self._lock.wait_for(lambda: not self._answering, SECONDS_TO_FINISH):
                raise TimeoutError(f"{self._answering} requests are still being answered")
            return list(self._requests)

    def bytes_sent(self, contest_id: str) -> int:
        """Bytes of the archive that have left the server, over all attempts."""
        return sum(r.bytes_sent for r in self.seen("storage") if r.contest_id == contest_id)

    def seen(self, endpoint: str) -> list[Request]:
        """The requests of one endpoint so far."""
        return [request for request in self.requests if request.endpoint == endpoint]

    def __enter__(self) -> KaggleServer:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    stand_in: KaggleServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of the game."""
