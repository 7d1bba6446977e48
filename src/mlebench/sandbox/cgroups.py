"""Control groups: limits that the kernel enforces, where we may create a group."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from mlebench.sandbox.base import ResourceLimits

MOUNT = Path("/sys/fs/cgroup")
PERIOD = 100_000


@dataclass(frozen=True)
class Cgroup:
    """The group of one run: one folder per controller (version 1) or one for all (version 2)."""

    version: int
    memory_folder: Path | None = None
    pids_folder: Path | None = None
    cpu_folder: Path | None = None

    @property
    def folders(self) -> tuple[Path, ...]:
        found = (self.memory_folder, self.pids_folder, self.cpu_folder)
        return tuple(dict.fromkeys(folder for folder in found if folder is not None))

    @property
    def limits_memory(self) -> bool:
        return self.memory_folder is not None

    @property
    def limits_cpus(self) -> bool:
        return self.cpu_folder is not None

    @property
    def limits_processes(self) -> bool:
        return self.pids_folder is not None

    def memory(self) -> int:
        name = "memory.current" if self.version == 2 else "memory.usage_in_bytes"
        return _number(self.memory_folder, name)

    def memory_peak(self) -> int:
        name = "memory.peak" if self.version == 2 else "memory.max_usage_in_bytes"
        return _number(self.memory_folder, name)

    def oom_kills(self) -> int:
        file = "memory.events" if self.version == 2 else "memory.oom_control"
        return _field(self.memory_folder, file, "oom_kill")

    def processes(self) -> int:
        return _number(self.pids_folder, "pids.current")

    def refused_forks(self) -> int:
        return _field(self.pids_folder, "pids.events", "max")

    def kill_strays(self) -> None:
        """Kill what an earlier attempt left here.

        A harness that is killed while bwrap unshares leaves a process that waits for ever: it has
        not yet asked the kernel to die with its parent.
        """
        for folder in self.folders:
            for pid in _words(folder / "cgroup.procs"):
                with contextlib.suppress(OSError):
                    os.kill(int(pid), signal.SIGKILL)

    def remove(self) -> None:
        """Remove the empty group; the kernel may need a moment to notice that it is empty."""
        remove_folders(self.folders)


def remove_folders(folders: tuple[Path, ...]) -> None:
    for folder in folders:
        for _ in range(50):
            try:
                folder.rmdir()
                break
            except FileNotFoundError:
                break
            except OSError:
                time.sleep(0.02)


def make_cgroup(name: str, limits: ResourceLimits, mount: Path = MOUNT) -> Cgroup | None:
    """A group for one run below our own; none if we may not create one."""
    if limits.memory_bytes is None and limits.processes is None and limits.cpus is None:
        return None
    own = _own_groups()
    if (mount / "cgroup.controllers").is_file():
        return _version_2(mount / own.get("", "/").lstrip("/"), name, limits)
    return _version_1(mount, own, name, limits)


def _own_groups() -> dict[str, str]:
    """Controller to path of our own group; version 2 under the empty name.

    psutil knows nothing of control groups.
    """
    found = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for controller in controllers.split(","):
                found[controller] = path
    return found


def _version_1(
    mount: Path, own: dict[str, str], name: str, limits: ResourceLimits
) -> Cgroup | None:
    memory = pids = cpu = None
    if limits.memory_bytes is not None:
        memory = _made(
            mount / "memory" / own.get("memory", "-").lstrip("/") / name,
            {"memory.limit_in_bytes": str(limits.memory_bytes)},
        )
        if memory is not None:
            # Not every kernel accounts for swap; without it the first limit is enough.
            _set(memory, {"memory.memsw.limit_in_bytes": str(limits.memory_bytes)})
    if limits.processes is not None:
        pids = _made(
            mount / "pids" / own.get("pids", "-").lstrip("/") / name,
            {"pids.max": str(limits.processes)},
        )
    if limits.cpus is not None:
        cpu = _made(
            mount / "cpu" / own.get("cpu", "-").lstrip("/") / name,
            {"cpu.cfs_period_us": str(PERIOD), "cpu.cfs_quota_us": str(_quota(limits.cpus))},
        )
    return Cgroup(1, memory, pids, cpu) if memory or pids or cpu else None


def _version_2(own: Path, name: str, limits: ResourceLimits) -> Cgroup | None:
    if not os.access(own / "cgroup.subtree_control", os.W_OK):
        return None
    _delegate(own)
    enabled = _words(own / "cgroup.subtree_control")
    folder = _made(own / name, {})
    if folder is None:
        return None
    wanted: dict[str, dict[str, str]] = {"memory": {}, "pids": {}, "cpu": {}}
    if limits.memory_bytes is not None:
        wanted["memory"] = {"memory.max": str(limits.memory_bytes), "memory.oom.group": "1"}
    if limits.processes is not None:
        wanted["pids"] = {"pids.max": str(limits.processes)}
    if limits.cpus is not None:
        wanted["cpu"] = {"cpu.max": f"{_quota(limits.cpus)} {PERIOD}"}
    made = {
        controller: folder
        for controller, values in wanted.items()
        if values and controller in enabled and _set(folder, values)
    }
    if "memory" in made:
        _set(folder, {"memory.swap.max": "0"})
    if not made:
        remove_folders((folder,))
        return None
    return Cgroup(2, made.get("memory"), made.get("pids"), made.get("cpu"))


def _delegate(own: Path) -> None:
    """Enable controllers for groups below ours, which must then contain no process itself."""
    controllers = _words(own / "cgroup.controllers")
    missing = {"memory", "pids", "cpu"} & controllers - _words(own / "cgroup.subtree_control")
    if not missing:
        return
    order = {"cgroup.subtree_control": " ".join(f"+{name}" for name in sorted(missing))}
    if _set(own, order):
        return
    pids = _words(own / "cgroup.procs")
    session = os.getsid(0)
    # Session 0 belongs to the kernel or to an init process outside of our namespace.
    if session == 0 or any(_session(int(pid)) != session for pid in pids):
        return  # other programs are in this group, too
    leaf = _made(own / "harness", {})
    if leaf is not None and all(_set(leaf, {"cgroup.procs": pid}) for pid in pids):
        _set(own, order)


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return -1


def _made(folder: Path, values: dict[str, str]) -> Path | None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    if _set(folder, values):
        return folder
    remove_folders((folder,))
    return None


def _set(folder: Path, values: dict[str, str]) -> bool:
    try:
        for name, value in values.items():
            (folder / name).write_text(value)
    except OSError:
        return False
    return True


def _quota(cpus: float) -> int:
    return max(1000, int(cpus * PERIOD))


def _words(file: Path) -> set[str]:
    try:
        return set(file.read_text().split())
    except OSError:
        return set()


def _number(folder: Path | None, name: str) -> int:
    with contextlib.suppress(OSError, ValueError):
        if folder is not None:
            return int((folder / name).read_text())
    return 0


def _field(folder: Path | None, file: str, name: str) -> int:
    with contextlib.suppress(OSError, ValueError):
        if folder is not None:
            for line in (folder / file).read_text().splitlines():
                key, _, value = line.partition(" ")
                if key == name:
                    return int(value)
    return 0
