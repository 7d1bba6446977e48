"""The protocol of workspaces: where the actions of one episode take effect.

Two implementations: `warm.py`, a bubblewrap sandbox that is ready before it is needed, and
`plain.py`, which starts a new sandbox of any kind for each run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from mlebench.errors import SandboxError
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.tasks import GymTask
from mlebench.records.episode import EpisodeBlame

RunEnd = Literal["exit", "time", "memory", "processes", "disk"]
MAX_OUTPUT = 64_000
"""Bytes of a run's output that are kept: half at its start, half at its end."""


@dataclass(frozen=True)
class EpisodeProgram:
    """What a run executes: Python code, or a shell command."""

    code: str | None
    command: str | None
    seconds: float
    processor_seconds: float | None = None
    """A limit on processor time, for the virtual clock."""

    seed: int = 0


@dataclass(frozen=True)
class Ran:
    """How a run ended."""

    ended_by: RunEnd
    exit_code: int | None
    output: bytes
    processor_seconds: float = 0.0


class WorkspaceLost(SandboxError):
    """The sandbox of an episode is gone.

    Args:
        blame: `policy` if its own program can have ended it.
    """

    def __init__(self, message: str, *, blame: EpisodeBlame = "infrastructure") -> None:
        super().__init__(message)
        self.blame: EpisodeBlame = blame


class Workspace(Protocol):
    """The sandbox of one episode; used by one task at a time, and never for another episode."""

    sandbox: str
    """The name of the sandbox, for the record."""

    async def run(self, program: EpisodeProgram) -> Ran:
        """Run a program to its end; no process of it is left.

        Raises:
            SandboxError: the sandbox ended with it, or is gone; `WorkspaceLost` says who is to
                blame if that is not the machine.
        """

    def read(self, path: str, start: int, count: int) -> tuple[bytes, int]:
        """Bytes of a file below /home, and its size; raises PathRefused."""

    def write(self, path: str, data: bytes) -> None:
        """Replace a file below /home; raises PathRefused."""

    def seal(self, path: str, max_bytes: int) -> int:
        """A sealed copy of a file; the caller closes it. Raises PathRefused."""

    async def close(self) -> None:
        """End all processes and remove all files."""


class WorkspaceSource(Protocol):
    """Makes workspaces."""

    async def open(self, task: GymTask, limits: EpisodeLimits) -> Workspace:
        """A new workspace; raises SandboxError if this machine cannot make one."""

    async def close(self) -> None:
        """End everything, workspaces that are still open included."""


class HeadAndTail:
    """Output of which the first and the last bytes are kept."""

    def __init__(self, size: int = MAX_OUTPUT) -> None:
        self._half = size // 2
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._tail += data[max(0, room) :]
        if len(self._tail) > 2 * self._half:
            del self._tail[: -self._half]

    def content(self) -> bytes:
        missing = self.total - len(self._head) - min(len(self._tail), self._half)
        cut = f"\n… {missing:,} bytes left out …\n".encode() if missing > 0 else b""
        return bytes(self._head) + cut + bytes(self._tail[-self._half :])
