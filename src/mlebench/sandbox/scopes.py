"""A control group from systemd, for users without a delegated one.

`systemd-run --user --scope` starts a command in a group of its own with limits, if a user manager
runs. It is used only if we cannot make a group ourselves.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.cgroups import MOUNT, Cgroup
from mlebench.system.commands import run_command

SECONDS = 10
BUS_VARIABLES = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")


@dataclass(frozen=True)
class Scope:
    """How to start a command in a group with limits."""

    prefix: tuple[str, ...]
    """Put before the command; systemd-run replaces itself by it."""

    controllers: tuple[str, ...]
    """What the kernel limited in a trial: `memory`, `pids`, `cpu`."""

    @property
    def environment(self) -> dict[str, str]:
        """What systemd-run needs to find the user manager."""
        return {name: os.environ[name] for name in BUS_VARIABLES if name in os.environ}

    def group_of(self, pid: int, mount: Path = MOUNT) -> Cgroup | None:
        """The group that a started process is in."""
        folder = _group_folder(Path(f"/proc/{pid}/cgroup"), mount)
        if folder is None:
            return None
        return Cgroup(2, dict.fromkeys(self.controllers, folder))


def find_scope(name: str, limits: ResourceLimits) -> Scope | None:
    """A scope for one run; none for root, and where no user manager answers."""
    program = shutil.which("systemd-run")
    properties = _properties(limits)
    if program is None or os.geteuid() == 0 or not properties:
        return None
    options = (f"--property={text}" for text in ("Delegate=yes", *properties))
    words = (program, "--user", "--scope", "--quiet", "--collect", *options)
    controllers = _try(words)
    return Scope((*words, f"--unit={name}", "--"), controllers) if controllers else None


def _properties(limits: ResourceLimits) -> list[str]:
    """The properties of a systemd unit that set these limits."""
    found = []
    if limits.memory_bytes is not None:
        found += [f"MemoryMax={limits.memory_bytes}", "MemorySwapMax=0"]
    if limits.processes is not None:
        found.append(f"TasksMax={limits.processes}")
    if limits.cpus is not None:
        found.append(f"CPUQuota={max(1, round(limits.cpus * 100))}%")
    return found


@functools.cache
def _try(words: tuple[str, ...]) -> tuple[str, ...]:
    """Start a trial and see which limits the kernel applied."""
    script = 'cat /proc/self/cgroup; d="$0$(sed -n s/^0:://p /proc/self/cgroup)"; cd "$d" && '
    script += "for f in memory.max pids.max cpu.max; do echo $f $(cat $f); done"
    done = run_command(*words, "--", "sh", "-c", script, str(MOUNT), seconds=SECONDS)
    return tuple(re.findall(r"^(memory|pids|cpu)\.max \d", done.stdout, re.M))


def _group_folder(file: Path, mount: Path) -> Path | None:
    try:
        found = re.search(r"^0::(.*)$", file.read_text(), re.M)
    except OSError:
        return None
    return mount / found[1].lstrip("/") if found else None
