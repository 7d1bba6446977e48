"""The HTTP server alone, with a tiny application: framing, order, streams, limits."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import threading
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest

from mlebench.http import (
    HttpReply,
    HttpRequest,
    HttpServer,
    HttpStream,
    RequestRefused,
    connection,
    listen_on_socket,
)
from tests.http.clients import UnixConnection

MAX_BODY = 3 << 20


class Echo:
    """Tells what arrived; `/stream` in pieces, `/refused` not at all."""

    def __init__(self) -> None:
        self.closed_streams = 0
        self.large_now = self.large_most = 0

    async def __call__(self, request: HttpRequest) -> HttpReply | HttpStream:
        if request.path == "/refused":
            raise RequestRefused(418, "no coffee")
        if request.path == "/stream":
            return HttpStream(self._count(int(request.query or 3)), "text/plain")
        if request.path == "/slow":
            self.large_now += 1
            self.large_most = max(self.large_most, self.large_now)
            await asyncio.sleep(0.05)
            self.large_now -= 1
        facts = {"method": request.method, "path": request.path, "query": request.query}
        return HttpReply(200, facts | {"body": request.body.decode("latin-1")}, {"X-More": "yes"})

    async def _count(self, most: int) -> AsyncGenerator[bytes, None]:
        try:
            for number in range(most):
                yield b"%d\n" % number
                await asyncio.sleep(0)
        finally:
            self.closed_streams += 1


@contextlib.contextmanager
def serving(
    application: Echo, path: Path, *, max_connections: int = 8, max_large_bytes: int = 64 << 20
) -> Iterator[Path]:
    loop = asyncio.new_event_loop()
    limits = {"max_connections": max_connections, "max_large_bytes": max_large_bytes}
    server = HttpServer(application, max_body_bytes=MAX_BODY, **limits)
    with listen_on_socket(path) as listener:
        task = loop.create_task(server.serve(listener))

        def run() -> None:
            with contextlib.suppress(asyncio.CancelledError):
                loop.run_until_complete(task)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield path
        finally:
            loop.call_soon_threadsafe(task.cancel)
            thread.join()
            loop.close()


@pytest.fixture
def echo() -> Echo:
    return Echo()


@pytest.fixture
def server(echo: Echo, tmp_path: Path) -> Iterator[Path]:
    with serving(echo, tmp_path / "s") as path:
        yield path


@pytest.fixture
def client(server: Path) -> Iterator[UnixConnection]:
    with contextlib.closing(UnixConnection(server)) as made:
        yield made


def raw(server: Path, data: bytes) -> bytes:
    """Everything that comes back before the connection is closed."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(10)
        sock.connect(str(server))
        sock.sendall(data)
        answer = b""
        with contextlib.suppress(ConnectionResetError):  # bytes that the server did not read
            while block := sock.recv(65536):
                answer += block
        return answer


def test_requests_on_one_connection_are_answered_in_turn(client: UnixConnection) -> None:
    for number, body in enumerate((b"", b"x", b"\0" * 100_000, bytes(range(256)) * 8192)):
        client.request("POST", f"/path?n={number}", body)
        answer = client.getresponse()
        facts = json.loads(answer.read())
        assert (answer.status, answer.headers["X-More"]) == (200, "yes")
        assert facts == {
            "method": "POST",
            "path": "/path",
            "query": f"n={number}",
            "body": body.decode("latin-1"),
        }


def test_requests_sent_without_waiting_keep_their_bodies(server: Path) -> None:
    parts = [
        b"POST /%d HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n%b\r\n" % (number, number, end)
        + b"y" * number
        for number, end in ((3, b""), (0, b""), (20_000, b""), (1, b"Connection: close\r\n"))
    ]
    answer = raw(server, b"".join(parts))
    bodies = [part.partition(b"\r\n\r\n")[2] for part in answer.split(b"HTTP/1.1 200 OK")[1:]]
    assert [json.loads(body)["path"] for body in bodies] == ["/3", "/0", "/20000", "/1"]
    assert [len(json.loads(body)["body"]) for body in bodies] == [3, 0, 20_000, 1]


def test_head_gets_the_same_head_and_no_body(client: UnixConnection) -> None:
    client.request("HEAD", "/")
    answer = client.getresponse()
    assert int(answer.headers["Content-Length"]) > 0
    assert answer.read() == b""
    client.request("GET", "/")
    assert client.getresponse().status == 200


def test_a_stream_arrives_whole_and_the_connection_stays_open(
    client: UnixConnection, echo: Echo
) -> None:
    client.request("GET", "/stream?4")
    answer = client.getresponse()
    assert answer.headers["Transfer-Encoding"] == "chunked"
    assert answer.read() == b"0\n1\n2\n3\n"
    client.request("GET", "/")
    assert client.getresponse().read()
    assert echo.closed_streams == 1


def test_a_stream_is_closed_when_its_client_has_gone(server: Path, echo: Echo) -> None:
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(str(server))
    sock.sendall(b"GET /stream?100000000 HTTP/1.1\r\nHost: x\r\n\r\n")
    assert sock.recv(10)
    sock.close()
    for _ in range(100):
        if echo.closed_streams:
            break
        threading.Event().wait(0.05)
    assert echo.closed_streams == 1


def test_a_refused_request_closes_the_connection(server: Path) -> None:
    answer = raw(server, b"GET /refused HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 418 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2]) == {"error": "no coffee"}


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY + 1), 413),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\n\r\n", 415),
        (b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 20_000, 431),
        (b" GET / HTTP/1.1\r\n", 400),
    ],
    ids=["chunked", "too large", "gzip", "two hosts", "two keys", "long head", "space first"],
)
def test_unclear_or_too_large_requests_are_refused(
    server: Path, request_bytes: bytes, status: int
) -> None:
    assert raw(server, request_bytes).startswith(b"HTTP/1.1 %d " % status)


def test_expect_continue_is_answered_before_the_body(server: Path) -> None:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(10)
        sock.connect(str(server))
        sock.sendall(
            b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        )
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(b"ab")
        assert sock.recv(1000).startswith(b"HTTP/1.1 200 OK")


def test_more_connections_than_allowed_are_closed(echo: Echo, tmp_path: Path) -> None:
    with serving(echo, tmp_path / "s", max_connections=2) as path, contextlib.ExitStack() as stack:
        for _ in range(2):
            held = stack.enter_context(contextlib.closing(UnixConnection(path)))
            held.request("GET", "/")
            assert held.getresponse().read()
        extra = stack.enter_context(contextlib.closing(UnixConnection(path)))
        with pytest.raises((http.client.RemoteDisconnected, ConnectionError)):
            extra.request("GET", "/")
            extra.getresponse()


@pytest.mark.parametrize(
    ("size", "budget", "most"),
    [(2 << 20, 1 << 20, {1}), (2 << 20, 5 << 20, {2}), (1000, 1 << 20, {2, 3, 4})],
    ids=["larger than the budget", "two fit", "small"],
)
def test_large_bodies_share_a_budget(
    echo: Echo, tmp_path: Path, size: int, budget: int, most: set[int]
) -> None:
    with serving(echo, tmp_path / "s", max_large_bytes=budget) as path:

        def ask() -> None:
            with contextlib.closing(UnixConnection(path)) as made:
                made.request("POST", "/slow", b"x" * size)
                assert made.getresponse().status == 200

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert echo.large_most in most


@pytest.mark.parametrize(
    "start", [b"", b"GET / HT", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab"]
)
def test_a_client_that_stops_sending_is_closed(
    server: Path, start: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(connection, "BODY_SECONDS", 0.2)
    assert raw(server, start) == b""
