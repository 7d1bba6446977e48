"""Agent packages: a folder with `agent.toml`, a start command and what it needs.

<agent>/
  agent.toml         name, version, start command, what it needs
  start.sh           the usual start command
  requirements.txt   locked, for an environment of its own (optional)
  …                  its program
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlebench.agents.program import AgentProgram, KeyTypes, check_keys, read_program
from mlebench.agents.program_files import copy_files, program_files
from mlebench.errors import UsageError
from mlebench.system.files import sha256

KNOWN_KEYS: KeyTypes = {
    "name": str,
    "version": str,
    "description": str,
    "command": list,
    "needs_model": bool,
    "environment": dict,
    "parameters": dict,
    "image": str,
    "shares_parent": bool,
    "program": dict,
}
HOME = Path(__file__).parent
REFUSED_VARIABLES = ("LD_", "NVIDIA_", "CUDA_VISIBLE", "PYTHONSTARTUP", "BASH_ENV", "ENV")


@dataclass(frozen=True)
class AgentPackage:
    """An agent. It decides what runs inside, never mounts, devices, network or limits."""

    name: str
    folder: Path
    version: str = "0"
    command: tuple[str, ...] = ("bash", "/opt/agent/start.sh")
    """Run inside, in /home/agent; the package is at /opt/agent."""

    description: str = ""
    needs_model: bool = False
    """Whether it talks to the model gateway."""

    environment: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Passed to the agent as JSON in MLEBENCH_PARAMETERS; the caller may override them."""

    image: str | None = None
    shares_parent: bool = False
    """Whether the parent folder is part of the package: our own agents share modules there."""

    program: AgentProgram | None = None
    """The published program that it starts, which must be installed first."""

    @property
    def mounted(self) -> Path:
        """What the sandbox shows at /opt/agent."""
        return self.folder.parent if self.shares_parent else self.folder

    @property
    def requirements(self) -> Path | None:
        """The agent's own requirements, or those of the folder that it shares."""
        files = (place / "requirements.txt" for place in (self.folder, self.mounted))
        return next((file for file in files if file.is_file()), None)

    excluded: tuple[Path, ...] = ()
    """Folders that never belong to the agent: the data and runs folders."""

    def files(self) -> list[Path]:
        """The package's files, the shared ones included, in a fixed order."""
        own = program_files(self.folder, self.excluded)
        shared = self.mounted.glob("*") if self.shares_parent else ()
        return sorted({*own, *(file for file in shared if file.is_file())})

    def digest(self) -> str:
        """A hash over the package's files: with name and version the agent's identity."""
        found = hashlib.sha256()
        for file in self.files():
            found.update(file.relative_to(self.mounted).as_posix().encode() + b"\0")
            found.update(bytes.fromhex(sha256(file)))
        return found.hexdigest()

    def copy_to(self, goal: Path) -> Path:
        """Copy all files below a folder; returns the agent's own folder there."""
        copy_files(self.files(), self.mounted, goal)
        return goal / self.folder.relative_to(self.mounted)


def load_agent(
    folder: Path, *, is_copy: bool = False, excluded: tuple[Path, ...] = ()
) -> AgentPackage:
    """Read and check `agent.toml`.

    Args:
        is_copy: the folder was made by `copy_to`, from an agent that was checked before.
        excluded: folders that never belong to the agent.

    Raises:
        UsageError: the file is missing, cannot be parsed, or has an unknown or wrong key.
    """
    file = folder / "agent.toml"
    try:
        facts = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{folder} is not an agent: it has no agent.toml") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    check_keys(facts, KNOWN_KEYS, file)
    environment = {str(k): str(v) for k, v in facts.get("environment", {}).items()}
    for name in environment:
        if name.startswith(REFUSED_VARIABLES):
            raise UsageError(f"{file} sets the variable {name}, which an agent may not")
    if facts.get("shares_parent") and not is_copy and HOME not in folder.parents:
        raise UsageError(f"{file} sets shares_parent, which only agents of mlebench itself may")
    named = {"name": folder.name, **facts, "environment": environment}
    if "command" in named:
        named["command"] = tuple(named["command"])
    if "program" in named:
        named["program"] = read_program(named["program"], file)
    return AgentPackage(folder=folder, excluded=excluded, **named)
