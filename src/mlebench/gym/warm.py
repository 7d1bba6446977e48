"""Warm workspaces: bubblewrap sandboxes that are ready before an episode needs them."""

from __future__ import annotations

import asyncio
import base64
import os
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlebench.errors import SandboxError
from mlebench.gym.files import FilesBelowHome, acting_as, open_file, split_path
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.run_channel import RunChannel
from mlebench.gym.tasks import GymTask
from mlebench.gym.texts import task_text
from mlebench.gym.workspace import EpisodeProgram, Ran, RunEnd, WorkspaceLost
from mlebench.sandbox.engines.bubblewrap_arguments import library_path
from mlebench.sandbox.environment import PATH
from mlebench.sandbox.held_files import HeldFiles
from mlebench.sandbox.memory import MemoryMeter
from mlebench.sandbox.procfs import descendants, start_time
from mlebench.sandbox.seccomp import seccomp_filter
from mlebench.sandbox.warm import SINGLE_THREADS, WarmBox, WarmPlan, WarmSandboxes
from mlebench.system.threads import processors

IMPORTS = tuple(
    """numpy scipy.sparse pandas sklearn sklearn.linear_model sklearn.ensemble
    sklearn.model_selection sklearn.preprocessing sklearn.pipeline sklearn.compose
    sklearn.impute""".split()
)
REPORT_SECONDS = 30.0
"""How long a keeper may take to stop a run after the request."""

MEMORY_INTERVAL = 0.25
ENDED_SECONDS = 10.0
"""How long to wait for the exit status of a sandbox, which shows who is to blame."""

SPARE_PROCESSES = 16
"""For the keeper, which must be able to fork even if programs use up their own limit."""


@dataclass
class _Shelf:
    """The ready sandboxes of one kind."""

    plan: WarmPlan
    ready: deque[WarmBox] = field(default_factory=deque)
    starting: set[asyncio.Task[None]] = field(default_factory=set)


class WarmSource:
    """Keeps sandboxes ready for each task and set of limits.

    Args:
        ready: how many are kept for each; by default one per processor.
    """

    def __init__(self, packages: Path | None, ready: int | None = None) -> None:
        self._packages = packages
        self._count = processors() if ready is None else ready
        self._sandboxes: WarmSandboxes | None = None
        self._shelves: dict[tuple[str, EpisodeLimits], _Shelf] = {}

    async def open(self, task: GymTask, limits: EpisodeLimits) -> WarmWorkspace:
        """See `WorkspaceSource.open`; takes one that is ready, else starts one."""
        sandboxes = await self._opened()
        shelf = self._shelf(task, limits)
        while shelf.ready and shelf.ready[0].ended.done():
            shelf.ready.popleft()
        box = shelf.ready.popleft() if shelf.ready else await sandboxes.start(shelf.plan)
        self._refill(sandboxes, shelf)
        return WarmWorkspace(sandboxes, box, limits)

    async def fill(self, task: GymTask, limits: EpisodeLimits) -> None:
        """Wait until all sandboxes that are kept ready have started."""
        sandboxes = await self._opened()
        shelf = self._shelf(task, limits)
        self._refill(sandboxes, shelf)
        while shelf.starting:
            await asyncio.wait(shelf.starting)
        await asyncio.shield(sandboxes.prepared)

    @property
    def ending(self) -> int:
        """The number of closed sandboxes that still exist."""
        return self._sandboxes.ending if self._sandboxes else 0

    async def _opened(self) -> WarmSandboxes:
        if self._sandboxes is None:
            self._sandboxes = WarmSandboxes(self._packages, IMPORTS)
            self._sandboxes.open()
            await self._sandboxes.prepare()
        return self._sandboxes

    def _shelf(self, task: GymTask, limits: EpisodeLimits) -> _Shelf:
        key = (task.key, limits)
        if key not in self._shelves:
            self._shelves[key] = _Shelf(_plan(task, limits, self._packages))
        return self._shelves[key]

    def _refill(self, sandboxes: WarmSandboxes, shelf: _Shelf) -> None:
        missing = self._count - len(shelf.ready) - len(shelf.starting)
        for _ in range(missing):
            task = asyncio.create_task(self._start(sandboxes, shelf))
            shelf.starting.add(task)
            task.add_done_callback(shelf.starting.discard)

    async def _start(self, sandboxes: WarmSandboxes, shelf: _Shelf) -> None:
        with suppress(SandboxError):  # the next `open` says what is wrong
            shelf.ready.append(await sandboxes.start(shelf.plan))

    async def close(self) -> None:
        """See `WorkspaceSource.close`."""
        for shelf in self._shelves.values():
            while shelf.starting:
                await asyncio.wait(shelf.starting)
        self._shelves.clear()
        if self._sandboxes is not None:
            await self._sandboxes.close()
            self._sandboxes = None


class WarmWorkspace(FilesBelowHome):
    """One sandbox, for one episode."""

    sandbox = "warm bubblewrap"

    def __init__(self, sandboxes: WarmSandboxes, box: WarmBox, limits: EpisodeLimits) -> None:
        self._sandboxes = sandboxes
        self._box = box
        self._limits = limits
        self._has_run = False
        self._oom_kills = 0

    async def run(self, program: EpisodeProgram) -> Ran:
        """See `Workspace.run`."""
        self._has_run = True
        with RunChannel(self._box.keeper) as channel:
            try:
                channel.start(self._request(program))
            except OSError:
                raise await self._lost() from None
            ended_by, report = await self._wait(channel, program.seconds)
            if report is None or not report["has_sandbox"]:
                raise await self._lost()
            if not report["is_clear"]:
                raise WorkspaceLost("processes of a run could not be ended", blame="policy")
            output = await channel.rest_of_output()
        code = os.waitstatus_to_exitcode(report["status"])
        if ended_by == "exit":
            ended_by = self._cause(code)
        exit_code = code if code >= 0 else 128 - code
        return Ran(
            ended_by,
            exit_code if ended_by == "exit" else None,
            output,
            round(report["processor_seconds"], 6),
        )

    async def _wait(
        self, channel: RunChannel, seconds: float
    ) -> tuple[RunEnd, dict[str, Any] | None]:
        """Wait for the report; stop the run when it exceeds its time or memory."""
        ended_by: RunEnd = "exit"
        reporting = asyncio.ensure_future(channel.report())
        guard = asyncio.ensure_future(self._guard(channel))
        try:
            done, _ = await asyncio.wait(
                {reporting, guard}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if reporting not in done:
                ended_by = "memory" if guard in done else "time"
                channel.stop()
            return ended_by, await asyncio.wait_for(reporting, REPORT_SECONDS)
        except TimeoutError:
            return ended_by, None
        finally:
            if not reporting.done():  # this coroutine was cancelled
                channel.stop()
            reporting.cancel()
            guard.cancel()

    async def _guard(self, channel: RunChannel) -> None:
        """Return when too much memory is used; never where the kernel enforces the limit."""
        if self._kernel_limits_memory:
            await asyncio.Event().wait()
        root = f"/proc/{self._box.init}/root"
        filesystems = [f"{root}/home", f"{root}/tmp", f"{root}/dev/shm"]
        meter = MemoryMeter(self._limits.memory_bytes, HeldFiles(), filesystems)
        while True:
            await asyncio.sleep(MEMORY_INTERVAL)
            if channel.pid:
                pids = [channel.pid, *descendants(channel.pid), *descendants(self._box.init)]
                if meter.measure(pids) > self._limits.memory_bytes:
                    return

    @property
    def _kernel_limits_memory(self) -> bool:
        cgroup = self._box.cgroup
        return cgroup is not None and "memory" in cgroup.controllers

    def _cause(self, code: int) -> RunEnd:
        """Which limit the kernel enforced, if any."""
        cgroup = self._box.cgroup
        kills = cgroup.oom_kills() if cgroup is not None and self._kernel_limits_memory else 0
        if kills > self._oom_kills:
            self._oom_kills = kills
            return "memory"
        return "time" if code == -signal.SIGXCPU else "exit"

    async def _lost(self) -> WorkspaceLost:
        """Why the sandbox has ended, as soon as that is known."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._box.ended), ENDED_SECONDS)
        return self._gone()

    def _gone(self) -> WorkspaceLost:
        """Who is to blame for the end of the sandbox."""
        # A program can end the first process of its sandbox; bwrap then exits with a status. It can
        # reach neither bwrap nor the keeper: if they were killed, something else did it.
        status = self._box.ended.result() if self._box.ended.done() else None
        if status is not None and os.WIFEXITED(status) and self._has_run:
            return WorkspaceLost("a program ended the sandbox", blame="policy")
        return WorkspaceLost("the sandbox was killed")

    def _request(self, program: EpisodeProgram) -> dict[str, Any]:
        limits = {
            "RLIMIT_CORE": 0,
            "RLIMIT_FSIZE": self._limits.disk_bytes,
            "RLIMIT_NPROC": self._limits.processes,
        }
        if program.processor_seconds is not None:
            limits["RLIMIT_CPU"] = max(1, round(program.processor_seconds))
        return {
            "code": program.code,
            "command": program.command,
            "seed": program.seed,
            "rlimits": limits,
            "filter": base64.b64encode(seccomp_filter() or b"").decode(),
            "environment": {**ENVIRONMENT, **library_path(), "MLEBENCH_SEED": str(program.seed)},
            "reports_pid": not self._kernel_limits_memory,
        }

    @contextmanager
    def _open(self, path: str, flags: int = os.O_RDONLY) -> Iterator[int]:
        """A file below /home, seen through the first process of the sandbox."""
        box, names = self._box, split_path(path)
        try:
            home = os.open(f"/proc/{box.init}/root/home", os.O_PATH | os.O_DIRECTORY)
        except OSError:
            raise self._gone() from None
        try:
            # Compared after opening: a process that reuses the PID has another start.
            if box.ended.done() or str(start_time(box.init)) != box.start_time:
                raise self._gone()
            with acting_as(box.uid), open_file(home, names, flags) as file:
                yield file
        finally:
            os.close(home)

    async def close(self) -> None:
        """See `Workspace.close`; the rest of the sandbox ends in the background."""
        with suppress(SandboxError):
            await self._sandboxes.end(self._box)


ENVIRONMENT = {
    "PATH": PATH,
    "HOME": "/home/agent",
    "USER": "agent",
    "LANG": "C.UTF-8",
    "TMPDIR": "/tmp",
    "PYTHONPATH": "/opt/packages",
    **SINGLE_THREADS,
}


def _plan(task: GymTask, limits: EpisodeLimits, packages: Path | None) -> WarmPlan:
    return WarmPlan(
        public=task.competition.public_dir,
        limits=limits.resources(SPARE_PROCESSES),
        packages=packages,
        secrets=task.secrets,
        environment=ENVIRONMENT,
        instructions=task_text("overview", task.competition, limits) or "",
    )
