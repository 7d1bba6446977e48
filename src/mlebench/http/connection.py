"""One client connection: reads whole requests and sends replies, with a deadline for each step."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import Mapping
from http import HTTPStatus

from mlebench.http.messages import HttpReply, HttpStream, RequestRefused
from mlebench.http.parsing import MAX_HEAD_BYTES, RequestHead, find_head_end, parse_head
from mlebench.http.uploads import Spool
from mlebench.system.files import write_all

HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
"""For a body, with one second more for each megabyte; also for sending a reply."""

CLOSED_WITHIN = "the client closed the connection within a request"


class Connection:
    """Reads from and writes to one accepted socket."""

    def __init__(self, client: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self.client = client
        self.loop = loop
        self._unread = b""
        """Bytes that arrived after the last head."""

    async def read_head(self, max_body_bytes: int) -> RequestHead | None:
        """The head of the next request; None if the client has closed the connection."""
        async with asyncio.timeout(HEAD_SECONDS):
            data = await self._read_head_bytes()
        if not data:
            return None
        head = parse_head(data)
        if head.body_bytes > max_body_bytes:
            text = (
                f"the request has {head.body_bytes:,} bytes; at most {max_body_bytes:,} are allowed"
            )
            raise RequestRefused(413, text)
        return head

    async def _read_head_bytes(self) -> bytes:
        data, known = self._unread, 0
        while not (end := find_head_end(data, known) if data else 0):
            known = len(data)
            block = await self.loop.sock_recv(self.client, MAX_HEAD_BYTES)
            if not block:
                return b""
            data += block
        self._unread = data[end:]
        return data[:end]

    async def read_body(self, head: RequestHead) -> bytearray:
        """The body of a request, read from the socket into one array of its stated length."""
        await self._invite(head)
        body = bytearray(head.body_bytes)
        position = min(len(self._unread), len(body))
        body[:position] = self._unread[:position]
        self._unread = self._unread[position:]
        async with asyncio.timeout(BODY_SECONDS + len(body) / 1e6):
            with memoryview(body) as view:
                while position < len(body):
                    count = await self.loop.sock_recv_into(self.client, view[position:])
                    if not count:
                        raise ConnectionError(CLOSED_WITHIN)
                    position += count
        return body

    async def read_upload(self, head: RequestHead, spool: Spool, file: int) -> None:
        """Write the body of a request to a file, as fast as it arrives."""
        await self._invite(head)
        first, self._unread = self._unread[: head.body_bytes], self._unread[head.body_bytes :]
        write_all(file, first)
        left = head.body_bytes - len(first)
        async with asyncio.timeout(BODY_SECONDS + head.body_bytes / 1e6):
            while left:
                try:
                    count = self.client.recv_into(spool.buffer[: min(left, len(spool.buffer))])
                except BlockingIOError:
                    await self._readable()
                    continue
                if not count:
                    raise ConnectionError(CLOSED_WITHIN)
                write_all(file, spool.buffer[:count])
                left -= count

    async def _readable(self) -> None:
        """Wait until the client has sent more."""
        ready = asyncio.Event()
        self.loop.add_reader(self.client, ready.set)
        try:
            await ready.wait()
        finally:
            self.loop.remove_reader(self.client)

    async def _invite(self, head: RequestHead) -> None:
        if head.headers.get("expect", "").lower() == "100-continue":
            await self.loop.sock_sendall(self.client, b"HTTP/1.1 100 Continue\r\n\r\n")

    async def send(self, reply: HttpReply | HttpStream, *, has_body: bool = True) -> None:
        """Send a reply as fast as the client reads it; without its body for a HEAD request."""
        if isinstance(reply, HttpStream):
            await self._send_stream(reply, has_body)
            return
        body = json.dumps(reply.data).encode() if reply.body is None else reply.body
        facts = {"Content-Length": str(len(body)), **reply.headers}
        head = _format_head(reply.status, reply.content_type, facts)
        await self._send_bytes(head + body if has_body else head)

    async def _send_stream(self, stream: HttpStream, has_body: bool) -> None:
        facts = {"Transfer-Encoding": "chunked", "Cache-Control": "no-store", **stream.headers}
        head = _format_head(200, stream.content_type, facts)
        async with contextlib.aclosing(stream.chunks) as chunks:
            if not has_body:
                await self._send_bytes(head)
                return
            async for chunk in chunks:
                await self._send_bytes(head + b"%x\r\n%b\r\n" % (len(chunk), chunk))
                head = b""
            await self._send_bytes(head + b"0\r\n\r\n")

    async def _send_bytes(self, data: bytes) -> None:
        """Send within the deadline, so that a client that stops reading is disconnected."""
        async with asyncio.timeout(BODY_SECONDS):
            await self.loop.sock_sendall(self.client, data)


def _format_head(status: int, content_type: str, headers: Mapping[str, str]) -> bytes:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:  # 529, for one, has no official name
        phrase = "Unknown"
    lines = [
        f"HTTP/1.1 {status} {phrase}",
        "X-Content-Type-Options: nosniff",
        f"Content-Type: {content_type}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
