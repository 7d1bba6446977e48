"""The argument list of bwrap; the tests show for each argument what happens without it."""

from __future__ import annotations

import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlebench.sandbox.base import Job, ResourceLimits
from mlebench.sandbox.environment import sandbox_environment, small_files
from mlebench.sandbox.gpus import device_nodes
from mlebench.sandbox.mounts import Mount, masked_folders, system_links
from mlebench.sandbox.programs import bridge, launcher
from mlebench.sandbox.seccomp import seccomp_filter

BRIDGE = Path(bridge.__file__)
DEFAULT_TMP_BYTES = 8 << 30
DEFAULT_SHM_BYTES = 1 << 30
INSIDE_ID = "1000"
PASSWD = b"agent:x:1000:1000:agent:/home/agent:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n"
GROUP = b"agent:x:1000:\nnogroup:x:65534:\n"
HOSTS = b"127.0.0.1 localhost sandbox\n::1 localhost\n"


@dataclass
class Arguments:
    """Arguments of bwrap; a number is the index of a mount, whose source the launcher opens."""

    items: list[str | int] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)

    def add(self, *items: str | int) -> None:
        self.items += items

    def add_file(self, content: bytes, target: str, mode: str = "0444") -> None:
        """Show bytes as a file; bwrap closes the descriptor, so each file has its own."""
        self.add("--perms", mode, "--ro-bind-data", self.hold(content), target)

    def hold(self, content: bytes) -> str:
        """The number of a descriptor with this content."""
        self.descriptors.append(launcher.memory_file(content))
        return str(self.descriptors[-1])


def bwrap_arguments(job: Job, mounts: Sequence[Mount], status: int) -> Arguments:
    """The whole list for one job."""
    made = Arguments()
    add_isolation(made, sandbox_environment(job))
    add_base(made, job.limits)
    made.add_file(BRIDGE.read_bytes(), "/run/bridge.py")
    add_mounts(made, mounts)
    for target, content in small_files(job).items():
        made.add_file(content, target, "0555" if target.endswith(".sh") else "0444")
    for gpu in device_nodes(job.limits.gpus):
        made.add("--dev-bind", gpu, gpu)
    close_root(made)
    made.add("--json-status-fd", str(status))
    return made


def add_isolation(made: Arguments, environment: Mapping[str, str]) -> None:
    """Namespaces, no capability, and only these variables."""
    made.add("--unshare-user", "--unshare-all", "--disable-userns")
    made.add("--uid", INSIDE_ID, "--gid", INSIDE_ID, "--cap-drop", "ALL")
    made.add("--hostname", "sandbox", "--new-session", "--die-with-parent")
    made.add("--clearenv")
    for name, value in {**environment, **library_path()}.items():
        made.add("--setenv", name, value)


def library_path() -> dict[str, str]:
    """Where an interpreter with a shared library finds it.

    The path in which it looks is not in the sandbox, and the system's library of the same name may
    have another version.
    """
    is_shared = sysconfig.get_config_var("Py_ENABLE_SHARED")
    return {"LD_LIBRARY_PATH": "/opt/python/lib"} if is_shared else {}


def add_base(made: Arguments, limits: ResourceLimits) -> None:
    """A private root with small files, devices and memory file systems: parents come first."""
    for target, link in system_links():
        made.add("--symlink", target, link)
    for folder in ("/etc", "/run", "/home", "/opt"):
        made.add("--perms", "0755", "--dir", folder)
    made.add_file(PASSWD, "/etc/passwd")
    made.add_file(GROUP, "/etc/group")
    made.add_file(HOSTS, "/etc/hosts")
    made.add("--proc", "/proc", "--dev", "/dev")
    made.add("--size", str(limits.shm_bytes or DEFAULT_SHM_BYTES))
    made.add("--perms", "1777", "--tmpfs", "/dev/shm")
    tmp_bytes = min(DEFAULT_TMP_BYTES, (limits.memory_bytes or 2 * DEFAULT_TMP_BYTES) // 2)
    made.add("--size", str(tmp_bytes), "--perms", "1777", "--tmpfs", "/tmp")


def add_mounts(made: Arguments, mounts: Sequence[Mount]) -> None:
    """The folders of a plan, with nothing below a writable one."""
    for number, mount in enumerate(mounts):
        made.add("--bind" if mount.writable else "--ro-bind", number, mount.target)
        for mask in masked_folders(mount):
            place = str(Path(mount.target) / mask)
            made.add("--size", "4096", "--tmpfs", place, "--remount-ro", place)


def describe_sources(mounts: Sequence[Mount]) -> list[dict[str, Any]]:
    """The sources of a plan for the launcher, which opens exactly these files."""
    return [
        {"path": str(mount.source), "inode": mount.inode, "folder": mount.is_folder}
        for mount in mounts
    ]


def close_root(made: Arguments) -> None:
    """Make the root read-only, and filter system calls."""
    made.add("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/home/agent")
    program = seccomp_filter()
    if program is not None:
        made.add("--seccomp", made.hold(program))
