"""Installed programs of agents: where they are, and whether they are unchanged."""

from __future__ import annotations

import hashlib
import platform
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from packaging.specifiers import SpecifierSet

from mlebench.agents.base import AgentPackage
from mlebench.agents.environments import default_cache
from mlebench.agents.program import AgentProgram
from mlebench.errors import DataError, UsageError
from mlebench.records.installed import InstalledRecord, read_installed
from mlebench.system.files import sha256

NODE = "24.19.0"
"""The version of the wheel in `coding/node.txt`, which contains Node and npm."""

RECORD = "installed.json"
HASHING_THREADS = 4


def programs_cache() -> Path:
    return default_cache().parent / "programs"


def program_folder(agent: AgentPackage, program: AgentProgram, cache: Path | None = None) -> Path:
    """The folder of an agent's program, installed or not; its name identifies the content."""
    parts = [program.kind, platform.machine(), sha256(program.lock), own_python(program)]
    parts.append(NODE if program.needs_node else "")
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]
    return (cache or programs_cache()) / f"{agent.name}-{agent.version}-{digest}"


def own_python(program: AgentProgram) -> str:
    """The Python version that its libraries are built for: ours, unless it needs another."""
    if program.kind != "pypi":
        return ""
    ours = ".".join(map(str, sys.version_info[:2]))
    is_ours = SpecifierSet(program.python).contains(platform.python_version(), prereleases=True)
    return ours if is_ours else program.python


def find_installed(agent: AgentPackage, cache: Path | None = None) -> InstalledRecord | None:
    """The record of an agent's installed program; None if it is missing or incomplete."""
    if agent.program is None:
        return None
    file = program_folder(agent, agent.program, cache) / RECORD
    return read_installed(file) if file.is_file() else None


def require_installed(agent: AgentPackage, cache: Path | None = None) -> None:
    """Raise UsageError if the program of an agent is not installed; checks no checksums."""
    if agent.program is not None and find_installed(agent, cache) is None:
        raise UsageError(
            f"the program of {agent.name} is not installed",
            hint=f"mlebench agents install {agent.name}",
        )


def require_program(agent: AgentPackage, cache: Path | None = None) -> Path | None:
    """The folder of an agent's program with every checksum verified; None if it has no program.

    Raises:
        UsageError: it is not installed.
        DataError: a file was changed, removed or added since it was installed.
    """
    if agent.program is None:
        return None
    require_installed(agent, cache)
    folder = program_folder(agent, agent.program, cache)
    if problem := find_change(folder):
        raise DataError(
            f"{folder} is not as it was installed: {problem}",
            hint=f"mlebench agents install {agent.name} --force",
        )
    return folder


def find_change(folder: Path) -> str | None:
    """The first difference between a folder and its record; None if there is none."""
    recorded = read_installed(folder / RECORD).files
    found = checksums(folder)
    for name in sorted(recorded.keys() | found.keys()):
        if recorded.get(name) != found.get(name):
            what = "was added" if name not in recorded else "was changed"
            return f"{name} {'is missing' if name not in found else what}"
    return None


def checksums(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder, or the target of a link, by its path."""
    found = (file for file in folder.rglob("*") if file.is_symlink() or not file.is_dir())
    files = [file for file in found if file != folder / RECORD]
    with ThreadPoolExecutor(HASHING_THREADS) as pool:
        names = (file.relative_to(folder).as_posix() for file in files)
        return dict(zip(names, pool.map(_checksum, files), strict=True))


def _checksum(file: Path) -> str:
    return f"-> {file.readlink()}" if file.is_symlink() else sha256(file)
