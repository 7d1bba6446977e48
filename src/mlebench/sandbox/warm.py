"""Bubblewrap sandboxes for many short runs: started in advance, with Python libraries imported.

The arguments of bwrap, its mounts, limits and filter are those of the sandbox `bubblewrap`. What
differs: writable folders are in memory, and programs are forked from one process that has imported
the libraries (`programs/zygote.py`), which makes a run a matter of milliseconds. All coroutines
belong to one event loop; there are no threads.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlebench.errors import SandboxError
from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.bubblewrap import uid_for
from mlebench.sandbox.cgroups import Cgroup, folder_names, make_cgroup
from mlebench.sandbox.engines.bubblewrap_arguments import (
    Arguments,
    add_base,
    add_isolation,
    add_mounts,
    close_root,
    describe_sources,
)
from mlebench.sandbox.engines.bubblewrap_program import find_bwrap, start_error
from mlebench.sandbox.mounts import WRITABLE, Mount, data_mounts
from mlebench.sandbox.programs import keeper, launcher, zygote
from mlebench.system.fork_server import WITHOUT_THREADS

START_SECONDS = 60.0
MAX_MESSAGE = 1 << 20
SEND_PAUSE = 0.001


class _Template(Arguments):
    """Arguments with marks in place of descriptors, which are made for each start."""

    def __init__(self) -> None:
        super().__init__()
        self.contents: list[bytes] = []

    def hold(self, content: bytes) -> str:
        self.contents.append(content)
        return f"{zygote.CONTENT_MARK}{len(self.contents) - 1}"


@dataclass(frozen=True)
class WarmPlan:
    """What sandboxes of one kind have in common."""

    public: Path
    limits: ResourceLimits
    """`disk_bytes` is the size of /home, which is in memory."""

    packages: Path | None = None
    secrets: tuple[Path, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    instructions: str = ""


@dataclass(eq=False)
class WarmBox:
    """A sandbox that was started."""

    number: int
    uid: int | None
    cgroup: Cgroup | None
    keeper: socket.socket
    """Connected to the keeper, which runs programs."""

    is_ending: bool = False
    init: int = 0
    start_time: str = ""
    ended: asyncio.Future[int | None] = field(default_factory=lambda: _future())
    """The wait status of bwrap; None if all was lost with the process that started it."""

    started: asyncio.Future[None] = field(default_factory=lambda: _future())


class WarmSandboxes:
    """Starts sandboxes and forks programs into them.

    Args:
        packages: a folder of Python libraries.
        imports: the modules that programs find imported.
    """

    def __init__(self, packages: Path | None, imports: Sequence[str]) -> None:
        self._program = find_bwrap()
        self._packages = packages
        self._imports = tuple(imports)
        self._numbers = itertools.count(1)
        self._boxes: dict[int, WarmBox] = {}
        self._orders: dict[int, tuple[WarmPlan, dict[str, Any]]] = {}
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.prepared: asyncio.Future[None] = _future()
        """Done when the libraries are imported; sandboxes can be started before."""

    def open(self) -> None:
        """Start the process that starts everything else."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setblocking(False)
        program = launcher.memory_file(Path(zygote.__file__).read_bytes())
        python = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
        if not python.exists():
            python = Path(sys.executable).resolve()
        words = [str(python), "-s", "-S", "-P", f"/proc/self/fd/{program}", str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                cwd="/",
                env=self._zygote_environment(),
                pass_fds=[program, theirs.fileno()],
            )
        os.close(program)
        asyncio.get_running_loop().add_reader(self._control, self._hear)

    def _zygote_environment(self) -> dict[str, str]:
        """Nothing of ours: programs could read it in their memory."""
        variables = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **SINGLE_THREADS}
        if self._packages is not None:
            variables["PYTHONPATH"] = str(self._packages)
        return variables

    async def prepare(self) -> None:
        """Have the libraries imported; returns at once."""
        paths = {sys.base_prefix: "/opt/python"}
        if self._packages is not None:
            paths = {str(self._packages): "/opt/packages", **paths}
        modules = {"launcher": launcher, "keeper": keeper}
        sources = {name: Path(str(module.__file__)).read_text() for name, module in modules.items()}
        await self._send(
            {"op": "prepare", "modules": sources, "imports": self._imports, "paths": paths}
        )

    async def start(self, plan: WarmPlan) -> WarmBox:
        """Start a sandbox, and wait until it is complete.

        Raises:
            SandboxError: this machine cannot start it.
        """
        number = next(self._numbers)
        cgroup = make_cgroup(f"mlebench-gym-{os.getpid()}-{number}", plan.limits)
        if cgroup is not None:
            spare_group(cgroup)
        uid = uid_for(f"{os.getpid()}-{number}") if os.geteuid() == 0 else None
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        box = self._boxes[number] = WarmBox(number, uid, cgroup, ours)
        order = {**self._order(plan), "uid": uid, "cgroups": folder_names(cgroup)}
        with theirs:
            await self._send({"op": "start", "id": number, "order": order}, [theirs.fileno()])
        try:
            await asyncio.wait_for(asyncio.shield(box.started), START_SECONDS)
        except TimeoutError:
            await self.end(box)
            raise start_error("") from None
        return box

    def _order(self, plan: WarmPlan) -> dict[str, Any]:
        """The launcher's order, made once for each plan."""
        known = self._orders.get(id(plan))
        if known is None:
            mounts = data_mounts(plan.public, plan.packages, plan.secrets)
            known = self._orders[id(plan)] = (plan, make_order(self._program, plan, mounts))
        return known[1]

    @property
    def ending(self) -> int:
        """How many sandboxes are to end but are not gone yet."""
        return sum(box.is_ending for box in self._boxes.values())

    async def end(self, box: WarmBox) -> None:
        """Kill a sandbox; `box.ended` is done when nothing of it is left."""
        box.keeper.close()
        box.is_ending = True
        if not box.ended.done():
            await self._send({"op": "end", "id": box.number})

    async def close(self) -> None:
        """End all sandboxes and the process itself."""
        if self._process is None or self._control is None:
            return
        boxes = list(self._boxes.values())
        with suppress(SandboxError):
            for box in boxes:
                await self.end(box)
        if boxes:
            await asyncio.wait([box.ended for box in boxes], timeout=START_SECONDS)
        self._lose()
        while self._process.poll() is None:
            await asyncio.sleep(0.005)
        self._process = None

    async def _send(self, message: dict[str, Any], files: Sequence[int] = ()) -> None:
        data = json.dumps(message).encode()
        while self._control is not None:
            try:
                socket.send_fds(self._control, [data], files)
                return
            except BlockingIOError:
                await asyncio.sleep(SEND_PAUSE)
            except OSError:
                break
        raise SandboxError("the process that starts sandboxes has ended")

    def _hear(self) -> None:
        while self._control is not None:
            try:
                data = self._control.recv(MAX_MESSAGE)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            if not data:
                self._lose()
                return
            self._handle(json.loads(data))

    def _handle(self, message: dict[str, Any]) -> None:
        if message["event"] == "prepared":
            _resolve(self.prepared, None)
            return
        box = self._boxes[message["id"]]
        if message["event"] == "started":
            box.init, box.start_time = message["init"], message["time"]
            _resolve(box.started, None)
            return
        del self._boxes[box.number]
        _resolve(box.ended, message["status"])
        if not box.started.done():
            box.started.set_exception(start_error(message["text"].strip()))

    def _lose(self) -> None:
        """The process is gone, and with it all sandboxes."""
        if self._control is not None:
            asyncio.get_running_loop().remove_reader(self._control)
            self._control.close()
            self._control = None
        error = SandboxError("the process that starts sandboxes has ended")
        for box in self._boxes.values():
            _resolve(box.ended, None)
            if not box.started.done():
                box.started.set_exception(error)
        self._boxes.clear()
        _resolve(self.prepared, None)


SINGLE_THREADS = {**WITHOUT_THREADS, "PYTHONHASHSEED": "0"}


def make_order(program: str, plan: WarmPlan, mounts: Sequence[Mount]) -> dict[str, Any]:
    """What `launcher.py` needs for one kind of sandbox, with marks for descriptors."""
    made = _Template()
    add_isolation(made, plan.environment)
    add_base(made, plan.limits)
    made.add("--size", str(plan.limits.disk_bytes), "--perms", "0755", "--tmpfs", "/home")
    for name in WRITABLE:
        made.add("--perms", "0755", "--dir", f"/home/{name}")
    add_mounts(made, mounts)
    made.add_file(plan.instructions.encode(), "/home/instructions.txt")
    close_root(made)
    made.add("--as-pid-1", "--json-status-fd", zygote.STATUS_MARK)
    return {
        "bwrap": program,
        "sources": describe_sources(mounts),
        "args": made.items,
        "contents": [base64.b64encode(content).decode() for content in made.contents],
    }


def spare_group(cgroup: Cgroup) -> None:
    """If memory runs out, only the program is to die, not the whole sandbox with its files."""
    if cgroup.version == 2:
        for folder in cgroup.folders:
            with suppress(OSError):
                (folder / "memory.oom.group").write_text("0")


def _future() -> asyncio.Future[Any]:
    return asyncio.get_running_loop().create_future()


def _resolve(future: asyncio.Future[Any], value: object) -> None:
    if not future.done():
        future.set_result(value)
