"""A small HTTP/1.1 server with a deadline for everything, for a handful of hostile clients.

h11 judges the head of a request; the body has one stated length and goes straight from the socket
into a buffer of that size. A head may take 10 seconds and 16 kB, a body 30 seconds and one more for
every megabyte, and no more than 64 connections are open.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import h11

HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
HEAD_BYTES = 16 * 1024
ACCEPT_AGAIN_SECONDS = 0.1
MAX_CONNECTIONS = 64
RECEIVE_BYTES = 4 << 20
LARGE_BODY = 1 << 20
SINGLE_HEADERS = (b"content-length", b"host", b"authorization")


@dataclass(frozen=True)
class Request:
    """One whole request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytearray
    query: str = ""
    """What follows the question mark, as it came."""


@dataclass(frozen=True)
class Reply:
    """What goes back, as JSON unless there are bytes of another kind."""

    status: int
    data: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"


@dataclass(frozen=True)
class Stream:
    """What goes back piece by piece; the generator is closed when the client is gone."""

    chunks: AsyncGenerator[bytes, None]
    content_type: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict)


class Refused(Exception):
    """A request that is not answered by the application; the connection is closed after it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


Answer = Callable[[Request], Awaitable[Reply | Stream]]


class HttpServer:
    """Serves `answer` on a listening socket of any kind."""

    def __init__(
        self,
        answer: Answer,
        *,
        max_body: int,
        max_connections: int = MAX_CONNECTIONS,
        max_large: int = MAX_CONNECTIONS,
    ) -> None:
        self.answer = answer
        self.max_body = max_body
        self.max_connections = max_connections
        self._large = asyncio.Semaphore(max_large)
        """Places for bodies above a megabyte, which would fill the memory together."""

        self._open: set[asyncio.Task[None]] = set()

    async def serve(self, listener: socket.socket) -> None:
        """Accept until cancelled, then end all connections."""
        loop = asyncio.get_running_loop()
        listener.setblocking(False)
        # Room for a whole submission: fewer turns of the loop for each.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        try:
            while True:
                try:
                    client, _ = await loop.sock_accept(listener)
                except OSError:  # out of descriptors: wait until a connection ends
                    await asyncio.sleep(ACCEPT_AGAIN_SECONDS)
                    continue
                if len(self._open) >= self.max_connections:
                    client.close()
                    continue
                client.setblocking(False)
                task = loop.create_task(self._connection(Connection(client, loop)))
                self._open.add(task)
                task.add_done_callback(self._open.discard)
        finally:
            for task in list(self._open):
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)

    async def _connection(self, connection: Connection) -> None:
        with connection.client, contextlib.suppress(ConnectionError, TimeoutError):
            is_open = True
            while is_open:
                try:
                    head = await connection.read_head(self.max_body)
                    if head is None:
                        return
                    async with self._large if head[1] > LARGE_BODY else contextlib.nullcontext():
                        request = await connection.read_body(*head)
                        reply = await self.answer(request)
                        is_open = request.headers.get("connection", "").lower() != "close"
                        await connection.send(reply, has_body=request.method != "HEAD")
                except Refused as refused:
                    await connection.send(Reply(refused.status, {"error": str(refused)}))
                    return


class Connection:
    """One client: reads whole requests and sends replies."""

    def __init__(self, client: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self.client = client
        self.loop = loop
        self._ahead = b""
        """What came after the last request."""

    async def read_head(self, max_body: int) -> tuple[h11.Request, int] | None:
        """The next request's head and length, or nothing when the client is gone."""
        async with asyncio.timeout(HEAD_SECONDS):
            head = await self._read_head()
        return None if head is None else (head, judge_head(head, max_body))

    async def read_body(self, head: h11.Request, length: int) -> Request:
        """The rest of a request."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
        if headers.get("expect", "").lower() == "100-continue":
            await self.loop.sock_sendall(self.client, b"HTTP/1.1 100 Continue\r\n\r\n")
        async with asyncio.timeout(BODY_SECONDS + length / 1e6):
            body = await self._read_body(length)
        target, _, query = head.target.decode("latin-1").partition("?")
        return Request(head.method.decode("latin-1"), target, headers, body, query)

    async def _read_head(self) -> h11.Request | None:
        parser = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        data, self._ahead = self._ahead, b""
        while True:
            if data:
                parser.receive_data(data)
                try:
                    event = parser.next_event()
                except h11.RemoteProtocolError as error:
                    raise Refused(error.error_status_hint, "bad request") from None
                if isinstance(event, h11.Request):
                    self._ahead = parser.trailing_data[0]
                    return event
            data = await self.loop.sock_recv(self.client, HEAD_BYTES)
            if not data:
                return None

    async def _read_body(self, length: int) -> bytearray:
        body = bytearray(length)
        known = self._ahead[:length]
        body[: len(known)] = known
        self._ahead = self._ahead[length:]
        view, position = memoryview(body), len(known)
        while position < length:
            count = await self.loop.sock_recv_into(self.client, view[position:])
            if not count:
                raise ConnectionError("the client left in the middle of its request")
            position += count
        return body

    async def send(self, reply: Reply | Stream, *, has_body: bool = True) -> None:
        """All of a reply, as fast as the client reads it; of one to HEAD its head only."""
        if isinstance(reply, Stream):
            await self._send_stream(reply, has_body)
        else:
            await self._send_whole(reply, has_body)

    async def _send_whole(self, reply: Reply, has_body: bool) -> None:
        body = json.dumps(reply.data).encode() if reply.body is None else reply.body
        lines = [
            f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}",
            f"Content-Type: {reply.content_type}",
            f"Content-Length: {len(body)}",
            "X-Content-Type-Options: nosniff",
            *(f"{name}: {value}" for name, value in reply.headers.items()),
        ]
        async with asyncio.timeout(BODY_SECONDS):
            head = "\r\n".join(lines).encode("latin-1")
            await self.loop.sock_sendall(
                self.client, head + b"\r\n\r\n" + (body if has_body else b"")
            )

    async def _send_stream(self, stream: Stream, has_body: bool) -> None:
        """Pass chunks on as fast as the client reads; one that stops reading is left."""
        lines = [
            "HTTP/1.1 200 OK",
            f"Content-Type: {stream.content_type}",
            "Transfer-Encoding: chunked",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
            *(f"{name}: {value}" for name, value in stream.headers.items()),
        ]
        async with contextlib.aclosing(stream.chunks) as chunks:
            before = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
            if not has_body:
                async with asyncio.timeout(BODY_SECONDS):
                    await self.loop.sock_sendall(self.client, before)
                return
            async for chunk in chunks:
                async with asyncio.timeout(BODY_SECONDS):
                    piece = before + b"%x\r\n%b\r\n" % (len(chunk), chunk)
                    await self.loop.sock_sendall(self.client, piece)
                before = b""
            async with asyncio.timeout(BODY_SECONDS):
                await self.loop.sock_sendall(self.client, before + b"0\r\n\r\n")


def judge_head(head: h11.Request, max_body: int) -> int:
    """The stated length of the body; anything unclear about it is refused."""
    names = [name for name, _ in head.headers]
    if sum(len(name) + len(value) for name, value in head.headers) > HEAD_BYTES:
        raise Refused(431, f"the head of a request has at most {HEAD_BYTES:,} bytes")
    if b"transfer-encoding" in names:
        raise Refused(411, "a request needs a Content-Length")
    if b"content-encoding" in names:
        raise Refused(415, "compressed requests are not read")
    if any(names.count(name) > 1 for name in SINGLE_HEADERS):
        raise Refused(400, "a header stands twice")
    if not head.target.startswith(b"/"):
        raise Refused(400, "bad request")
    length = next((int(v) for n, v in head.headers if n == b"content-length"), 0)
    if length > max_body:
        raise Refused(413, f"the request has {length:,} bytes, at most {max_body:,} are read")
    return length
