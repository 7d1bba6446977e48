"""The program bwrap: its path, its version, and the remedies for its errors."""

from __future__ import annotations

import functools
import os
import re
import shutil
import stat
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.system.bpf import AUDIT_ARCH
from mlebench.system.commands import last_line, run_command

OLDEST = (0, 8, 0)
WANTED = (0, 12, 0)

USER_NAMESPACES = "allow user namespaces: "
APPARMOR = USER_NAMESPACES + "sysctl kernel.apparmor_restrict_unprivileged_userns=0"
REMEDIES = {
    "uid map": APPARMOR,
    "RTM_NEWADDR": APPARMOR,
    "mount proc": "in a container: start it with --security-opt systempaths=unconfined",
    "No permissions to creat": USER_NAMESPACES + "sysctl kernel.unprivileged_userns_clone=1",
    "Creating new namespace": USER_NAMESPACES + "sysctl user.max_user_namespaces=10000",
}


def find_bwrap(given: str | None = None) -> str:
    """The path of the program.

    Raises:
        SandboxError: it is missing, setuid or too old.
    """
    program = given or shutil.which("bwrap")
    if program is None:
        raise SandboxError("bubblewrap is not installed", hint="apt install bubblewrap")
    program = os.path.realpath(program)
    if Path(program).stat().st_mode & stat.S_ISUID:
        raise SandboxError(f"{program} is setuid, which is not safe", hint=f"chmod u-s {program}")
    if bwrap_version(program) < OLDEST:
        raise SandboxError(f"{program} is older than 0.8.0", hint="update bubblewrap")
    return program


def bwrap_version(program: str) -> tuple[int, ...]:
    """Its version, cached for each file."""
    return _ask_version(program, Path(program).stat().st_mtime_ns)


@functools.cache
def _ask_version(program: str, changed_ns: int) -> tuple[int, ...]:
    answer = run_command(program, "--version")
    if answer.returncode:
        raise SandboxError(f"{program} does not start: {last_line(answer.stderr)}")
    return tuple(map(int, re.findall(r"\d+", answer.stdout)[:3]))


def version_notes(version: tuple[int, ...]) -> list[str]:
    """Notes about a version that works."""
    notes = []
    if version < WANTED:
        notes.append("older than 0.12.0 (CVE-2026-87766; the mount plan avoids it)")
    if not has_filter():
        notes.append("no seccomp filter for this kind of processor")
    return notes


def has_filter() -> bool:
    """Whether system calls are filtered on this kind of processor."""
    return os.uname().machine in AUDIT_ARCH


def start_error(text: str) -> SandboxError:
    """An error with bwrap's message and a remedy; no other sandbox is tried instead."""
    hint = next((remedy for sign, remedy in REMEDIES.items() if sign in text), None)
    said = text.splitlines()[-1] if text else "no answer in time"
    return SandboxError(f"bubblewrap could not create the sandbox: {said}", hint=hint)
