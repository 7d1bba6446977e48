"""Agent packages: a folder with `agent.toml`, a start command and what it needs.

<agent>/
  agent.toml         name, version, start command, what it wants
  start.sh           the usual start command
  requirements.txt   locked, for an environment of its own (optional)
  …                  its program
"""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlebench.agents.program_files import program_files
from mlebench.errors import UsageError
from mlebench.system.files import sha256

KNOWN_KEYS = {
    "name": str,
    "version": str,
    "description": str,
    "command": list,
    "needs_model": bool,
    "python": bool,
    "environment": dict,
    "parameters": dict,
    "image": str,
    "shares_parent": bool,
}
HOME = Path(__file__).parent
REFUSED_VARIABLES = ("LD_", "NVIDIA_", "CUDA_VISIBLE", "PYTHONSTARTUP", "BASH_ENV", "ENV")


@dataclass(frozen=True)
class AgentPackage:
    """What an agent is; it decides what runs inside, never mounts, devices, network or limits."""

    name: str
    version: str
    folder: Path
    command: tuple[str, ...]
    """Run inside, in /home/agent; the package is at /opt/agent."""

    description: str = ""
    needs_model: bool = False
    """Whether it talks to the model gateway."""

    environment: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Handed to the agent as JSON in MLEBENCH_PARAMETERS; may be overridden from outside."""

    image: str | None = None
    shares_parent: bool = False
    """Whether the folder above belongs to the package: our agents have modules in common there."""

    @property
    def mounted(self) -> Path:
        """What the sandbox shows at /opt/agent."""
        return self.folder.parent if self.shares_parent else self.folder

    @property
    def requirements(self) -> Path | None:
        file = self.folder / "requirements.txt"
        return file if file.is_file() else None

    excluded: tuple[Path, ...] = ()
    """Folders that are no part of the agent wherever they are: the data and runs folders."""

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
        for file in self.files():
            target = goal / file.relative_to(self.mounted)
            target.parent.mkdir(parents=True, exist_ok=True)
            # In a container the agent may be another user.
            target.parent.chmod(0o755)
            shutil.copy(file, target)
        return goal / self.folder.relative_to(self.mounted)


def load_agent(
    folder: Path, *, is_copy: bool = False, excluded: tuple[Path, ...] = ()
) -> AgentPackage:
    """Read and judge `agent.toml`; an unknown key is refused by its name.

    Args:
        is_copy: the folder was made by `copy_to`, of an agent that was judged before.
        excluded: folders that are no part of the agent.
    """
    file = folder / "agent.toml"
    try:
        facts = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{folder} is no agent: it has no agent.toml") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}") from None
    for key, value in facts.items():
        if key not in KNOWN_KEYS:
            known = ", ".join(sorted(KNOWN_KEYS))
            raise UsageError(f"{file} has the unknown key {key!r}; expected {known}")
        if not isinstance(value, KNOWN_KEYS[key]):
            raise UsageError(f"{key!r} in {file} is {value!r}, expected {KNOWN_KEYS[key].__name__}")
    environment = {str(k): str(v) for k, v in facts.get("environment", {}).items()}
    for name in environment:
        if name.startswith(REFUSED_VARIABLES):
            raise UsageError(f"{file} sets the variable {name}, which an agent may not")
    if facts.get("shares_parent") and not is_copy and HOME not in folder.parents:
        raise UsageError(f"{file} says shares_parent, which only agents of mlebench itself may")
    return AgentPackage(
        name=facts.get("name", folder.name),
        version=facts.get("version", "0"),
        folder=folder,
        command=tuple(facts.get("command", ("bash", "/opt/agent/start.sh"))),
        description=facts.get("description", ""),
        needs_model=facts.get("needs_model", False),
        environment=environment,
        parameters=facts.get("parameters", {}),
        image=facts.get("image"),
        shares_parent=facts.get("shares_parent", False),
        excluded=excluded,
    )
