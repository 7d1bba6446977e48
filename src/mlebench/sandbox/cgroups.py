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
    """The control group of one run."""

    version: int
    places: Mapping[str, Path]
    """Folder by controller (`memory`, `pids`, `cpu`); in version 2 it is the same for all."""

    @property
    def folders(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(self.places.values()))

    @property
    def controllers(self) -> tuple[str, ...]:
        """What the kernel limits here: `memory`, `pids`, `cpu`."""
        return tuple(self.places)

    def memory(self) -> int:
        file = "memory.current" if self.version == 2 else "memory.usage_in_bytes"
        return self._read("memory", file)

    def memory_peak(self) -> int:
        file = "memory.peak" if self.version == 2 else "memory.max_usage_in_bytes"
        return self._read("memory", file)

    def oom_kills(self) -> int:
        file = "memory.events" if self.version == 2 else "memory.oom_control"
        return self._read("memory", file, "oom_kill")

    def processes(self) -> int:
        return self._read("pids", "pids.current")

    def refused_forks(self) -> int:
        return self._read("pids", "pids.events", "max")

    def _read(self, controller: str, file: str, field: str | None = None) -> int:
        """The number in a file, or in its line for a field; 0 if there is none."""
        with contextlib.suppress(KeyError, OSError, ValueError):
            text = (self.places[controller] / file).read_text()
            if field is not None:
                lines = (line.partition(" ") for line in text.splitlines())
                text = {key: value for key, _, value in lines}[field]
            return int(text)
        return 0

    def kill_strays(self) -> None:
        """Kill processes that an earlier attempt left in this group.

        If the harness is killed while bwrap unshares, that process waits forever: it has not yet
        asked the kernel to die with its parent.
        """
        for folder in self.folders:
            kill_all(folder)

    def remove(self) -> None:
        for folder in self.folders:
            _remove(folder)


def folder_names(cgroup: Cgroup | None) -> list[str]:
    """The folders of a group, for records and other processes; none without a group."""
    return [str(folder) for folder in cgroup.folders] if cgroup else []


def kill_all(folder: Path) -> None:
    """Kill every process of a group, including those forked meanwhile."""
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


def _remove(folder: Path) -> None:
    """Remove an empty group; the kernel may need a moment to notice that it is empty."""
    for _ in range(50):
        try:
            folder.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.02)


def remove_known(facts: Mapping[str, object]) -> None:
    """Kill and remove the groups that a killed harness recorded."""
    folders = facts.get("cgroups", ())
    if isinstance(folders, list | tuple):
        for folder in (Path(str(name)) for name in folders):
            kill_all(folder)
            _remove(folder)


def make_cgroup(name: str, limits: ResourceLimits, mount: Path = MOUNT) -> Cgroup | None:
    """A group for one run below our own; none if we may not create one or no limit needs it."""
    version = 2 if (mount / "cgroup.controllers").is_file() else 1
    values = _values(version, limits)
    if not values:
        return None
    own = _own_groups()
    if version == 2:
        return _version_2(mount, mount / own.get("", "/").lstrip("/"), name, values)
    return _version_1(mount, own, name, values)


def try_controllers(limits: ResourceLimits) -> tuple[str, ...]:
    """Which of `memory`, `pids` and `cpu` the kernel would limit, found by making a group."""
    group = make_cgroup(f"mlebench-trial-{os.getpid()}-{time.monotonic_ns()}", limits)
    if group is None:
        return ()
    group.remove()
    return group.controllers


def _values(version: int, limits: ResourceLimits) -> dict[str, dict[str, str]]:
    """What to write to which file, for each controller that a limit needs."""
    values: dict[str, dict[str, str]] = {}
    if limits.memory_bytes is not None:
        most = str(limits.memory_bytes)
        current = {"memory.max": most, "memory.oom.group": "1"}
        values["memory"] = current if version == 2 else {"memory.limit_in_bytes": most}
    if limits.processes is not None:
        values["pids"] = {"pids.max": str(limits.processes)}
    if limits.cpus is not None:
        quota = max(1000, int(limits.cpus * PERIOD))
        old = {"cpu.cfs_period_us": str(PERIOD), "cpu.cfs_quota_us": str(quota)}
        values["cpu"] = {"cpu.max": f"{quota} {PERIOD}"} if version == 2 else old
    return values


def _own_groups() -> dict[str, str]:
    """The path of our own group by controller; version 2 has the empty name."""
    found: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            found |= dict.fromkeys(controllers.split(","), path)
    return found


def _version_1(
    mount: Path, own: dict[str, str], name: str, values: dict[str, dict[str, str]]
) -> Cgroup | None:
    made = {}
    for controller, files in values.items():
        folder = mount / controller / own.get(controller, "-").lstrip("/") / name
        if _make(folder, files):
            made[controller] = folder
    if "memory" in made:
        # Not every kernel accounts for swap; without it the first limit is enough.
        limit = values["memory"]["memory.limit_in_bytes"]
        _set(made["memory"], {"memory.memsw.limit_in_bytes": limit})
    return Cgroup(1, made) if made else None


def _version_2(
    mount: Path, own: Path, name: str, values: dict[str, dict[str, str]]
) -> Cgroup | None:
    """A group below our nearest ancestor that allows all limits, else as many as possible."""
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


def _group_below(parent: Path, name: str, values: dict[str, dict[str, str]]) -> Cgroup | None:
    enabled = _enabled(parent) & set(values)
    folder = parent / name
    if not enabled or not _make(folder, {}):
        return None
    made = {key: folder for key in values if key in enabled and _set(folder, values[key])}
    if "memory" in made:
        _set(folder, {"memory.swap.max": "0"})  # not every kernel accounts for swap
    if not made:
        _remove(folder)
        return None
    return Cgroup(2, made)


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
    leaf = own / "harness"
    if _make(leaf, {}) and all(_set(leaf, {"cgroup.procs": pid}) for pid in pids):
        _set(own, order)


def _are_of_our_session(pids: set[str]) -> bool:
    """Whether they all belong to us; session 0 is that of the kernel or of an init outside."""
    session = os.getsid(0)
    try:
        return session != 0 and all(os.getsid(int(pid)) == session for pid in pids)
    except OSError:
        return False


def _make(folder: Path, values: dict[str, str]) -> bool:
    """Create a group with these values; false, and nothing created, if that is not allowed."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return False
    if not _set(folder, values):
        _remove(folder)
        return False
    return True


def _set(folder: Path, values: dict[str, str]) -> bool:
    try:
        for name, value in values.items():
            (folder / name).write_text(value)
    except OSError:
        return False
    return True


def _words(file: Path) -> set[str]:
    try:
        return set(file.read_text().split())
    except OSError:
        return set()
