"""One run in a warm sandbox: the request to its keeper, the report, the output."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from contextlib import suppress
from typing import Any

from mlebench.gym.workspace import HeadAndTail
from mlebench.sandbox.programs import keeper
from mlebench.sandbox.programs.launcher import memory_file

DRAIN_SECONDS = 5.0
MAX_REPORT = 4096


class RunChannel:
    """One run: requests to the keeper, its report, and a pipe with the program's output."""

    def __init__(self, keeper: socket.socket) -> None:
        self._keeper = keeper
        self._kept = HeadAndTail()
        self.pid: int | None = None

    def __enter__(self) -> RunChannel:
        self._loop = asyncio.get_running_loop()
        self._output, self._output_end = os.pipe()
        os.set_blocking(self._output, False)
        self._is_over = self._loop.create_future()
        self._loop.add_reader(self._output, self._take)
        return self

    def start(self, program: dict[str, Any]) -> None:
        """Send the program; its text may be longer than a message."""
        file = memory_file(json.dumps(program).encode())
        try:
            socket.send_fds(self._keeper, [keeper.RUN], [file, self._output_end])
        finally:
            os.close(file)
            os.close(self._output_end)

    def __exit__(self, *error: object) -> None:
        self._loop.remove_reader(self._output)
        os.close(self._output)

    def _take(self) -> None:
        try:
            data = os.read(self._output, 1 << 16)
        except BlockingIOError:
            return
        self._kept.add(data)
        if not data:
            self._loop.remove_reader(self._output)
            if not self._is_over.done():
                self._is_over.set_result(None)

    async def report(self) -> dict[str, Any] | None:
        """The keeper's report; None if it was killed."""
        while True:
            try:
                data = await self._loop.sock_recv(self._keeper, MAX_REPORT)
            except OSError:
                return None
            if not data:
                return None
            message = dict(json.loads(data))
            if "status" in message:
                return message
            self.pid = message["pid"]

    def stop(self) -> None:
        """Have the keeper end the run."""
        with suppress(OSError):
            self._keeper.send(keeper.KILL)

    async def rest_of_output(self) -> bytes:
        """All output; all processes that could write to the pipe have ended."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._is_over), DRAIN_SECONDS)
        return self._kept.content()
