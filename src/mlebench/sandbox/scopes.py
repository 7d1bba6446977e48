"""A control group from systemd, for users without a delegated one.

`systemd-run --user --scope` starts a command in a group of its own with limits, if a user manager
runs. Asked for only if we cannot make a group ourselves.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.cgroups import MOUNT, Cgroup

SECONDS = 10
BUS_VARIABLES = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")


@dataclass(frozen=True)
class Scope:
    """How to start a command in a group with limits."""

    prefix: tuple[str, ...]
    """Put before the command, which it replaces itself by."""

    controllers: tuple[str, ...]
    """What a trial had limited by the kernel: `memory`, `pids`, `cpu`."""

    @property
    def environment(self) -> dict[str, str]:
        """What systemd-run needs to find the user manager."""
        return {name: os.environ[name] for name in BUS_VARIABLES if name in os.environ}

    def group_of(self, pid: int, mount: Path = MOUNT) -> Cgroup | None:
        """The group that a started process is in."""
        folder = _group_folder(Path(f"/proc/{pid}/cgroup"), mount)
        if folder is None:
            return None
        found = {name: folder for name in self.controllers}
        return Cgroup(2, found.get("memory"), found.get("pids"), found.get("cpu"))


def find_scope(name: str, limits: ResourceLimits) -> Scope | None:
    """A scope for one run; none for root, and where no user manager answers."""
    program = shutil.which("systemd-run")
    wanted = _properties(limits)
    if program is None or os.geteuid() == 0 or not wanted:
        return None
    controllers = _try(program, tuple(wanted.values()))
    if not controllers:
        return None
    return Scope(_words(program, tuple(wanted.values()), f"--unit={name}"), controllers)


def _properties(limits: ResourceLimits) -> dict[str, tuple[str, ...]]:
    """The properties of a unit that limit each controller."""
    found: dict[str, tuple[str, ...]] = {}
    if limits.memory_bytes is not None:
        found["memory"] = (f"MemoryMax={limits.memory_bytes}", "MemorySwapMax=0")
    if limits.processes is not None:
        found["pids"] = (f"TasksMax={limits.processes}",)
    if limits.cpus is not None:
        found["cpu"] = (f"CPUQuota={max(1, round(limits.cpus * 100))}%",)
    return found


def _words(program: str, groups: tuple[tuple[str, ...], ...], *more: str) -> tuple[str, ...]:
    options = [f"--property={line}" for lines in groups for line in lines]
    fixed = ("--user", "--scope", "--quiet", "--collect", "--property=Delegate=yes")
    return (program, *fixed, *more, *options, "--")


@functools.cache
def _try(program: str, groups: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Start a trial and look which limits the kernel took."""
    script = 'cat /proc/self/cgroup; d="$0$(sed -n s/^0:://p /proc/self/cgroup)"; cd "$d" && '
    script += "for f in memory.max pids.max cpu.max; do echo $f $(cat $f); done"
    try:
        done = subprocess.run(
            [*_words(program, groups), "sh", "-c", script, str(MOUNT)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(re.findall(r"^(memory|pids|cpu)\.max \d", done.stdout, re.M))


def _group_folder(file: Path, mount: Path) -> Path | None:
    try:
        found = re.search(r"^0::(.*)$", file.read_text(), re.M)
    except OSError:
        return None
    return mount / found[1].lstrip("/") if found else None
