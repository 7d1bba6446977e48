"""A small HTTP/1.1 server with a deadline for everything, for a handful of hostile clients.

h11 reads the protocol. Requests have one stated length; a head may take 10 seconds and 16 kB, a
body 30 seconds and one more for every megabyte, and no more than 64 connections are open.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import h11

HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
HEAD_BYTES = 16 * 1024
MAX_CONNECTIONS = 64
BLOCK = 256 * 1024
SINGLE_HEADERS = (b"content-length", b"host", b"authorization")


@dataclass(frozen=True)
class Request:
    """One whole request."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """What goes back, as JSON."""

    status: int
    data: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stream:
    """What goes back piece by piece; the generator is closed when the client is gone."""

    chunks: AsyncGenerator[bytes, None]
    content_type: str = "text/event-stream"
    status: int = 200


class Refused(Exception):
    """A request that is not answered by the application; the connection is closed after it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


Answer = Callable[[Request], Awaitable[Reply | Stream]]


class HttpServer:
    """Serves `answer` on a bound unix socket or a port."""

    def __init__(
        self, answer: Answer, *, max_body: int, max_connections: int = MAX_CONNECTIONS
    ) -> None:
        self.answer = answer
        self.max_body = max_body
        self.max_connections = max_connections
        self._open: set[asyncio.Task[None]] = set()

    async def serve_socket(self, listener: socket.socket) -> asyncio.Server:
        return await asyncio.start_unix_server(self._accept, sock=listener, limit=BLOCK)

    async def serve_port(self, host: str, port: int) -> asyncio.Server:
        return await asyncio.start_server(self._accept, host, port, limit=BLOCK, backlog=256)

    async def close(self) -> None:
        """End all connections."""
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._open) >= self.max_connections:
            writer.close()
            return
        self._open.add(task)
        try:
            await self._connection(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            writer.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        protocol = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        while True:
            try:
                request = await self._request(protocol, reader, writer)
                if request is None:
                    return
                reply = await self.answer(request)
            except Refused as refused:
                await _send(protocol, writer, Reply(refused.status, {"error": str(refused)}))
                return
            except h11.RemoteProtocolError as error:
                status = error.error_status_hint
                await _send(protocol, writer, Reply(status, {"error": "bad request"}))
                return
            except TimeoutError:
                return
            if isinstance(reply, Stream):
                await _send_stream(protocol, writer, reply)
            else:
                await _send(protocol, writer, reply)
            if protocol.our_state is not h11.DONE or protocol.their_state is not h11.DONE:
                return
            protocol.start_next_cycle()

    async def _request(
        self, protocol: h11.Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> Request | None:
        async with asyncio.timeout(HEAD_SECONDS):
            head = await _next_event(protocol, reader)
        if not isinstance(head, h11.Request):
            return None
        length = self._judge_head(head)
        if protocol.they_are_waiting_for_100_continue:
            go_on = h11.InformationalResponse(status_code=100, headers=[])
            writer.write(protocol.send(go_on) or b"")
        body = bytearray()
        async with asyncio.timeout(BODY_SECONDS + length / 1e6):
            while isinstance(event := await _next_event(protocol, reader), h11.Data):
                body += event.data
        if not isinstance(event, h11.EndOfMessage):
            return None
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
        target = head.target.decode("latin-1").split("?", 1)[0]
        return Request(head.method.decode("latin-1"), target, headers, bytes(body))

    def _judge_head(self, head: h11.Request) -> int:
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
        if length > self.max_body:
            raise Refused(
                413, f"the request has {length:,} bytes, at most {self.max_body:,} are read"
            )
        return length


async def _next_event(protocol: h11.Connection, reader: asyncio.StreamReader) -> Any:
    while (event := protocol.next_event()) is h11.NEED_DATA:
        protocol.receive_data(await reader.read(BLOCK))
    return event


async def _send(protocol: h11.Connection, writer: asyncio.StreamWriter, reply: Reply) -> None:
    body = json.dumps(reply.data).encode()
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    headers += [*reply.headers.items(), ("X-Content-Type-Options", "nosniff")]
    if protocol.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
        return
    head = h11.Response(status_code=reply.status, headers=headers)
    data = [protocol.send(event) for event in (head, h11.Data(data=body), h11.EndOfMessage())]
    writer.write(b"".join(part for part in data if part))
    async with asyncio.timeout(BODY_SECONDS):
        await writer.drain()


async def _send_stream(
    protocol: h11.Connection, writer: asyncio.StreamWriter, stream: Stream
) -> None:
    """Pass chunks on as fast as the client reads them; one that stops reading is left."""
    async with aclosing(stream.chunks) as chunks:
        headers = [("Content-Type", stream.content_type), ("Transfer-Encoding", "chunked")]
        headers += [("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store")]
        writer.write(protocol.send(h11.Response(status_code=stream.status, headers=headers)) or b"")
        async for chunk in chunks:
            writer.write(protocol.send(h11.Data(data=chunk)) or b"")
            async with asyncio.timeout(BODY_SECONDS):
                await writer.drain()
    writer.write(protocol.send(h11.EndOfMessage()) or b"")
    async with asyncio.timeout(BODY_SECONDS):
        await writer.drain()
