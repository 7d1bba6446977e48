"""A small HTTP/1.1 server with a deadline for everything, for a handful of hostile clients.

A request has one stated length and a bounded size, every step has a deadline (`connection.py`), and
the number of open connections is bounded.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

from mlebench.http.connection import Connection
from mlebench.http.messages import HttpReply, HttpRequest, HttpStream, RequestRefused
from mlebench.http.parsing import RequestHead
from mlebench.http.uploads import Spool, Upload

ACCEPT_AGAIN_SECONDS = 0.1
MAX_CONNECTIONS = 64
RECEIVE_BUFFER_BYTES = 4 << 20
LARGE_BODY_BYTES = 1 << 20
BACKLOG = 256

Application = Callable[[HttpRequest], Awaitable[HttpReply | HttpStream]]


class ByteBudget:
    """A number of bytes that may be in use at once; requests for more wait in turn."""

    def __init__(self, total: int) -> None:
        self.total = self.free = total
        self._turn = asyncio.Lock()
        self._freed = asyncio.Event()

    @contextlib.asynccontextmanager
    async def hold(self, size: int) -> AsyncIterator[None]:
        """Hold a number of bytes, at most the whole budget; 0 bytes never wait."""
        size = min(size, self.total)
        if size:
            async with self._turn:
                while self.free < size:
                    self._freed.clear()
                    await self._freed.wait()
                self.free -= size
        try:
            yield
        finally:
            self.free += size
            self._freed.set()


class HttpServer:
    """Serves an application on a listening socket of any kind.

    Args:
        max_large_bytes: of bodies above a megabyte, how much is held at once; further requests
            wait in turn before their body is read. A body above this limit is held alone, which
            by default is each of them.
        spool: stores bodies in files; without it they are held in memory.
        on_refused: called for each request that is refused before the application sees it.
    """

    def __init__(
        self,
        application: Application,
        *,
        max_body_bytes: int,
        max_connections: int = MAX_CONNECTIONS,
        max_large_bytes: int = LARGE_BODY_BYTES,
        spool: Spool | None = None,
        on_refused: Callable[[RequestRefused], None] = lambda refused: None,
    ) -> None:
        self.on_refused = on_refused
        self.application = application
        self.max_body_bytes = max_body_bytes
        self.max_connections = max_connections
        self.spool = spool
        self._large = ByteBudget(max_large_bytes)
        self._open: set[asyncio.Task[None]] = set()

    async def serve(self, listener: socket.socket) -> None:
        """Accept until cancelled, then end all connections."""
        loop = asyncio.get_running_loop()
        listener.setblocking(False)
        # A whole submission fits, so that one turn of the loop reads it.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
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
                task = loop.create_task(self._serve_connection(Connection(client, loop)))
                self._open.add(task)
                task.add_done_callback(self._open.discard)
        finally:
            for task in list(self._open):
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve_connection(self, connection: Connection) -> None:
        with connection.client, contextlib.suppress(ConnectionError, TimeoutError):
            is_open = True
            while is_open:
                try:
                    head = await connection.read_head(self.max_body_bytes)
                    if head is None:
                        return
                    is_large = head.body_bytes > LARGE_BODY_BYTES
                    async with self._large.hold(head.body_bytes if is_large else 0):
                        await self._exchange(connection, head)
                    is_open = head.headers.get("connection", "").lower() != "close"
                except RequestRefused as refused:
                    self.on_refused(refused)
                    await connection.send(HttpReply(refused.status, {"error": str(refused)}))
                    return
                # A client that sends without a pause must not keep the others waiting.
                await asyncio.sleep(0)

    async def _exchange(self, connection: Connection, head: RequestHead) -> None:
        body, upload = bytearray(), None
        with contextlib.ExitStack() as stack:
            if self.spool is None:
                body = await connection.read_body(head)
            else:
                upload = stack.enter_context(_stored(self.spool, head.body_bytes))
                await connection.read_upload(head, self.spool, upload.file)
            reply = await self.application(
                HttpRequest(head.method, head.path, head.headers, body, head.query, upload)
            )
        await connection.send(reply, has_body=head.method != "HEAD")


@contextlib.contextmanager
def _stored(spool: Spool, size: int) -> Iterator[Upload]:
    """A file for the body of a request; a full disk is not the fault of the request."""
    try:
        with spool.file_for(size) as upload:
            yield upload
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EMFILE):
            raise
        text = "there is no space for the upload at the moment; try again"
        raise RequestRefused(503, text) from None


def listen_on_socket(path: Path) -> socket.socket:
    """A listening unix socket that the agent, who may be another user, can connect to.

    The folder must be private: it alone keeps other users of the machine away.
    """
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(str(path))
        path.chmod(0o666)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener
