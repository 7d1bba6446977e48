"""Control groups: limits that the kernel enforces, where we may create a group."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Mapping
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
    def controllers(self) -> tuple[str, ...]:
        """What the kernel limits here: `memory`, `pids`, `cpu`."""
        found = {"memory": self.memory_folder, "pids": self.pids_folder, "cpu": self.cpu_folder}
        return tuple(name for name, folder in found.items() if folder is not None)

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
            kill_all(folder)

    def remove(self) -> None:
        """Remove the empty group; the kernel may need a moment to notice that it is empty."""
        remove_folders(self.folders)


def kill_all(folder: Path) -> None:
    """Kill every process of a group, its last fork included."""
    if (folder / "cgroup.kill").exists() and _set(folder, {"cgroup.kill": "1"}):
        return
    for _ in range(100):
        pids = _words(folder / "cgroup.procs")
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.01)


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


def remove_known(facts: Mapping[str, object]) -> None:
    """Kill and remove the groups that a killed harness wrote down."""
    folders = facts.get("cgroups", ())
    if isinstance(folders, list | tuple):
        for folder in (Path(str(name)) for name in folders):
            kill_all(folder)
            remove_folders((folder,))


def make_cgroup(name: str, limits: ResourceLimits, mount: Path = MOUNT) -> Cgroup | None:
    """A group for one run below our own; none if we may not create one."""
    if limits.memory_bytes is None and limits.processes is None and limits.cpus is None:
        return None
    own = _own_groups()
    if (mount / "cgroup.controllers").is_file():
        return _version_2(mount, mount / own.get("", "/").lstrip("/"), name, limits)
    return _version_1(mount, own, name, limits)


def try_controllers(limits: ResourceLimits) -> tuple[str, ...]:
    """Which of `memory`, `pids` and `cpu` the kernel would limit, found by making a group."""
    group = make_cgroup(f"mlebench-trial-{os.getpid()}-{time.monotonic_ns()}", limits)
    if group is None:
        return ()
    group.remove()
    return group.controllers


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


def _version_2(mount: Path, own: Path, name: str, limits: ResourceLimits) -> Cgroup | None:
    """A group below the nearest ancestor of ours that can hold it with all limits, or with some."""
    values = _version_2_values(limits)
    wanted = set(values)
    usable = [
        folder
        for folder in _ancestors(own, mount)
        if os.access(folder / "cgroup.subtree_control", os.W_OK)
    ]
    for folder in usable:  # where nothing has to be changed
        if wanted <= _enabled(folder) and (made := _group_below(folder, name, values)):
            return made
    for folder in usable:
        if wanted <= _words(folder / "cgroup.controllers"):
            _enable(folder, own, wanted)
            if wanted <= _enabled(folder) and (made := _group_below(folder, name, values)):
                return made
    if usable[:1] == [own]:
        _enable(own, own, wanted)
    for folder in sorted(usable, key=lambda folder: -len(wanted & _enabled(folder))):
        if made := _group_below(folder, name, values):
            return made
    return None


def _ancestors(own: Path, mount: Path) -> list[Path]:
    """Our own group, then those above it, up to the root that we see."""
    found = [own, *own.parents]
    return found[: found.index(mount) + 1] if mount in found else [own]


def _enabled(folder: Path) -> set[str]:
    """The controllers of groups below one."""
    return _words(folder / "cgroup.subtree_control")


def _version_2_values(limits: ResourceLimits) -> dict[str, dict[str, str]]:
    """What to write for each controller that a limit needs."""
    values: dict[str, dict[str, str]] = {}
    if limits.memory_bytes is not None:
        values["memory"] = {"memory.max": str(limits.memory_bytes), "memory.oom.group": "1"}
    if limits.processes is not None:
        values["pids"] = {"pids.max": str(limits.processes)}
    if limits.cpus is not None:
        values["cpu"] = {"cpu.max": f"{_quota(limits.cpus)} {PERIOD}"}
    return values


def _group_below(parent: Path, name: str, values: dict[str, dict[str, str]]) -> Cgroup | None:
    enabled = _enabled(parent) & set(values)
    folder = _made(parent / name, {}) if enabled else None
    if folder is None:
        return None
    made = {name: folder for name in sorted(enabled) if _set(folder, values[name])}
    if "memory" in made:
        # Not every kernel accounts for swap.
        _set(folder, {"memory.swap.max": "0"})
    if not made:
        remove_folders((folder,))
        return None
    return Cgroup(2, made.get("memory"), made.get("pids"), made.get("cpu"))


def _enable(folder: Path, own: Path, wanted: set[str]) -> None:
    """Enable controllers for groups below one, which must then contain no process itself."""
    offered = _words(folder / "cgroup.controllers") & wanted
    missing = offered - _enabled(folder)
    order = {"cgroup.subtree_control": " ".join(f"+{name}" for name in sorted(missing))}
    if not missing or _set(folder, order) or folder != own:
        return
    pids = _words(own / "cgroup.procs")
    if not _are_of_our_session(pids):
        return  # other programs are in this group, too
    leaf = _made(own / "harness", {})
    if leaf is not None and all(_set(leaf, {"cgroup.procs": pid}) for pid in pids):
        _set(own, order)


def _are_of_our_session(pids: set[str]) -> bool:
    """Whether they all belong to us; session 0 is that of the kernel or of an init outside."""
    session = os.getsid(0)
    return session != 0 and all(_session(int(pid)) == session for pid in pids)


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
