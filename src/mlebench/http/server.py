"""A small HTTP/1.1 server with a deadline for everything, for a handful of hostile clients.

The body of a request has one stated length and goes straight from the socket into a buffer of that
size. A head may take 10 seconds and 16 kB, a body 30 seconds and one more for every megabyte, and
no more than 64 connections are open.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from mlebench.http.bodies import Bodies
from mlebench.http.heads import HEAD_BYTES, Head, Refused, find_end, parse_head

HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
ACCEPT_AGAIN_SECONDS = 0.1
MAX_CONNECTIONS = 64
RECEIVE_BYTES = 4 << 20
LARGE_BODY = 1 << 20


@dataclass(frozen=True)
class Request:
    """One whole request."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytearray
    """Used again after the reply, unless somebody holds a view of it."""
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

        self._bodies = Bodies()
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
                    is_large = head.length > LARGE_BODY
                    async with self._large if is_large else contextlib.nullcontext():
                        await self._exchange(connection, head)
                    is_open = head.headers.get("connection", "").lower() != "close"
                except Refused as refused:
                    await connection.send(Reply(refused.status, {"error": str(refused)}))
                    return
                # Who sends without a pause must not keep the others waiting.
                await asyncio.sleep(0)

    async def _exchange(self, connection: Connection, head: Head) -> None:
        body = self._bodies.take(head.length)
        await connection.read_body(head, body)
        request = Request(head.method, head.path, head.headers, body, head.query)
        reply = await self.answer(request)
        if isinstance(reply, Reply):
            self._bodies.give_back(body)
        await connection.send(reply, has_body=head.method != "HEAD")


class Connection:
    """One client: reads whole requests and sends replies."""

    def __init__(self, client: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self.client = client
        self.loop = loop
        self._ahead = b""
        """What came after the last request."""

    async def read_head(self, max_body: int) -> Head | None:
        """The next request's head, or nothing when the client is gone."""
        async with asyncio.timeout(HEAD_SECONDS):
            data = await self._read_head()
        if not data:
            return None
        head = parse_head(data)
        if head.length > max_body:
            text = f"the request has {head.length:,} bytes, at most {max_body:,} are read"
            raise Refused(413, text)
        return head

    async def _read_head(self) -> bytes:
        data, known = self._ahead, 0
        while not (end := find_end(data, known) if data else 0):
            known = len(data)
            block = await self.loop.sock_recv(self.client, HEAD_BYTES)
            if not block:
                return b""
            data += block
        self._ahead = data[end:]
        return data[:end]

    async def read_body(self, head: Head, body: bytearray) -> None:
        """The rest of a request, into an array of its length."""
        if head.headers.get("expect", "").lower() == "100-continue":
            await self.loop.sock_sendall(self.client, b"HTTP/1.1 100 Continue\r\n\r\n")
        known = self._ahead[: head.length]
        body[: len(known)] = known
        self._ahead = self._ahead[head.length :]
        position = len(known)
        with memoryview(body) as view:
            if position < head.length:
                # Most have come by now, and what is here needs no deadline.
                with contextlib.suppress(BlockingIOError):
                    position += self.client.recv_into(view[position:])
            if position < head.length:
                async with asyncio.timeout(BODY_SECONDS + head.length / 1e6):
                    await self._fill(view[position:])

    async def _fill(self, rest: memoryview) -> None:
        while rest:
            count = await self.loop.sock_recv_into(self.client, rest)
            if not count:
                raise ConnectionError("the client left in the middle of its request")
            rest = rest[count:]

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
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        rest = memoryview(head + body if has_body else head)
        with contextlib.suppress(BlockingIOError):
            rest = rest[self.client.send(rest) :]
        if rest:
            async with asyncio.timeout(BODY_SECONDS):
                await self.loop.sock_sendall(self.client, rest)

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
