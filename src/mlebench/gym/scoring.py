"""The policy's side of the processes that judge submissions (`grader.py`)."""

from __future__ import annotations

import asyncio
import json
import math
import socket
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlebench.errors import BenchError, SandboxError, UsageError
from mlebench.gym.tasks import GymTask
from mlebench.http import listen_on_socket
from mlebench.system.fork_server import START_SECONDS, ForkedChild, ForkServer
from mlebench.system.socket_folders import socket_folder
from mlebench.system.threads import processors

TARGET = "mlebench.gym.grader:serve"
IMPORTS = (
    "mlebench.gym.grader",
    "mlebench.validation.validator:warm_up",
    "mlebench.native:library",
)
REPLY_SECONDS = 330.0
TOO_COSTLY = "Submission is invalid: too costly to judge"
MAX_REPLY = 1 << 16


@dataclass(frozen=True)
class FormatReply:
    """The verdict on the format, with a text for the policy."""

    is_valid: bool
    text: str


@dataclass(frozen=True)
class RewardReply:
    """What the grader says about a file."""

    is_valid: bool
    value: float
    """Of the base reward, finite."""

    score: float | None = None
    """Of evaluations only, as is the hash."""

    sha256: str | None = None


class TaskScoring:
    """The two processes of one task, started when they are first needed."""

    def __init__(self, task: GymTask, forks: ForkServer, folder: Path) -> None:
        self.task = task
        self._forks = forks
        self._folder = folder
        self._children: dict[str, tuple[Path, ForkedChild]] = {}
        self._locks = {name: asyncio.Lock() for name in ("format", "reward")}
        self._starting: list[asyncio.Task[None]] = []
        self._slots = asyncio.Semaphore(2 * processors())

    async def validate(self, file: int) -> FormatReply:
        """Whether a sealed file has the right format."""
        reply = await self._ask("format", {}, file)
        if reply is None:
            return FormatReply(False, TOO_COSTLY)
        return FormatReply(bool(reply["is_valid"]), str(reply["text"]))

    async def grade(self, file: int, reward: str | None) -> RewardReply:
        """The base reward of a sealed file."""
        reply = await self._ask("reward", {"reward": reward}, file)
        if reply is None:
            return RewardReply(False, 0.0)
        value = float(reply["value"])
        return RewardReply(
            bool(reply["is_valid"]),
            value if math.isfinite(value) else 0.0,
            reply.get("score"),
            reply.get("sha256"),
        )

    def start_soon(self) -> None:
        """Start both processes in the background, so that the first request does not wait."""
        if not self._starting:
            self._starting = [asyncio.create_task(self._try(name)) for name in self._locks]

    async def _try(self, name: str) -> None:
        with suppress(BenchError):  # the first request says what is wrong
            await self._place(name)

    async def _ask(self, name: str, request: dict[str, Any], file: int) -> dict[str, Any] | None:
        """The reply; None if the file killed its child. SandboxError if the process is gone."""
        async with self._slots:
            place = await self._place(name)
            try:
                line = await asyncio.wait_for(_exchange(place, request, file), REPLY_SECONDS)
            except TimeoutError:
                return None
            except OSError as error:
                raise SandboxError(
                    f"the process that judges submissions is gone: {error}"
                ) from None
        if not line:
            return None
        reply = dict(json.loads(line))
        if "fault" in reply:
            raise SandboxError(f"internal error in grading: {reply['fault']}")
        return None if "is_too_large" in reply else reply

    async def _place(self, name: str) -> Path:
        async with self._locks[name]:
            if name not in self._children:
                self._children[name] = await asyncio.to_thread(self._start, name)
            return self._children[name][0]

    def _start(self, name: str) -> tuple[Path, ForkedChild]:
        number = len(list(self._folder.iterdir()))
        place = self._folder / f"{name}-{number}.sock"
        with listen_on_socket(place) as listener:
            facts = {**self.task.facts, "judge": name}
            child = self._forks.fork(TARGET, facts, [listener.fileno()])
        line = child.receive(START_SECONDS)
        reply = json.loads(line) if line else {"error": "it ended at once"}
        if "error" in reply:
            child.end()
            raise UsageError(f"submissions to {self.task.id} cannot be judged: {reply['error']}")
        self._forks.warm(reply["imports"])
        return place, child

    async def close(self) -> None:
        if self._starting:
            await asyncio.wait(self._starting)
        for _, child in self._children.values():
            child.end()
        self._children.clear()


class Scoring:
    """The judging processes of all tasks of this process."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._forks: ForkServer | None = None
        self._folder = Path()
        self._tasks: dict[str, TaskScoring] = {}

    def of(self, task: GymTask) -> TaskScoring:
        if self._forks is None:
            self._forks = self._stack.enter_context(ForkServer(IMPORTS))
            self._folder = self._stack.enter_context(socket_folder())
        if task.key not in self._tasks:
            folder = self._folder / str(len(self._tasks))
            folder.mkdir()
            self._tasks[task.key] = TaskScoring(task, self._forks, folder)
        return self._tasks[task.key]

    async def close(self) -> None:
        for task in self._tasks.values():
            await task.close()
        self._tasks.clear()
        self._forks = None
        self._stack.close()


async def _exchange(place: Path, request: dict[str, Any], file: int) -> bytes:
    """Send a request with a file, and receive one line."""
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.setblocking(False)
        await loop.sock_connect(connection, str(place))
        socket.send_fds(connection, [json.dumps(request).encode() + b"\n"], [file])
        line = b""
        while not line.endswith(b"\n") and len(line) < MAX_REPLY:
            part = await loop.sock_recv(connection, MAX_REPLY)
            if not part:
                return b""
            line += part
        return line
