"""An agent from one YAML file, which names its program, task, data and parameters.

```yaml
name: my-agent
path: ./my_agent             # or: repository: https://… with revision: <commit>
command: python3 main.py --config {config}
task: |
  Train a model and write {submission}.
input_data:
  - path: "{data}"
    description: public files of the competition; description.md is the task
parameters: {max_turns: 30}
retries: 2
```

It becomes an agent package in the cache: the unchanged program and a launcher, which writes task,
data and parameters where the program can read them and starts it again if it fails.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.agents.commands import own_files
from mlebench.agents.environments import default_cache
from mlebench.agents.program import KeyTypes, check_keys
from mlebench.agents.program_files import copy_files
from mlebench.errors import UsageError

LAUNCHER = Path(__file__).with_name("launch.py")
KNOWN_KEYS: KeyTypes = {
    "name": str,
    "version": (str, int, float),
    "description": str,
    "path": str,
    "repository": str,
    "revision": (str, int),
    "command": str,
    "task": str,
    "input_data": list,
    "parameters": dict,
    "retries": int,
    "needs_model": bool,
    "environment": dict,
    "requirements": str,
}


@dataclass(frozen=True)
class ConfiguredAgent:
    """The checked content of the YAML file."""

    name: str
    command: str
    """Run in a writable copy of the program; may name `{config}`, `{task}`, `{data}`,
    `{submission}`, `{code}` and `{logs}`."""

    version: str = "0"
    description: str = ""
    path: Path | None = None
    """A folder with the program; relative to the YAML file."""

    repository: str | None = None
    revision: str | None = None
    """A commit, tag or branch of the repository; only a commit is reproducible."""

    task: str = ""
    input_data: tuple[dict[str, str], ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    retries: int = 0
    needs_model: bool = True
    environment: dict[str, str] = field(default_factory=dict)
    requirements: str | None = None
    """A file of the program with the libraries for its environment."""


def configured_agent(
    file: Path, cache: Path | None = None, *, excluded: tuple[Path, ...] = ()
) -> AgentPackage:
    """The agent package that a YAML file describes, made in the cache."""
    facts = read_configuration(file)
    places = cache or default_cache().parent / "configured"
    places.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=places, prefix=".making-") as scratch:
        staging = Path(scratch) / "agent"
        _copy_program(facts, staging / "program", excluded)
        _write_package(facts, staging)
        digest = load_agent(staging).digest()[:16]
        goal = places / f"{_folder_name(facts.name)}-{digest}"
        if not goal.is_dir():
            staging.chmod(0o755)
            staging.rename(goal)
    return load_agent(goal)


def read_configuration(file: Path) -> ConfiguredAgent:
    """Read and check the YAML file; raises `UsageError` for unknown or wrong keys."""
    import yaml

    try:
        facts = yaml.safe_load(file.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} is not YAML: {str(error).splitlines()[0]}") from None
    if not isinstance(facts, dict):
        raise UsageError(
            f"{file} contains no keys; expected at least path or repository, and command"
        )
    check_keys(facts, KNOWN_KEYS, file)
    _check_values(facts, file)
    for key in facts.keys() & {"version", "revision"}:
        facts[key] = str(facts[key])
    path = facts.get("path")
    return ConfiguredAgent(
        **facts
        | {
            "name": facts.get("name") or file.stem,
            "path": (file.parent / Path(path).expanduser()).resolve() if path else None,
            "input_data": tuple(facts.get("input_data", ())),
            "environment": {str(k): str(v) for k, v in facts.get("environment", {}).items()},
        }
    )


def _check_values(facts: dict[str, Any], file: Path) -> None:
    if not facts.get("command"):
        raise UsageError(f"{file} has no command, such as: command: python3 main.py")
    if bool(facts.get("path")) == bool(facts.get("repository")):
        raise UsageError(f"{file} must have either path or repository, where the program is")
    if facts.get("retries", 0) < 0:
        raise UsageError(f"retries in {file} is {facts['retries']}, expected 0 or more")
    for entry in facts.get("input_data", ()):
        keys = set(entry) if isinstance(entry, dict) else set()
        if keys != {"path", "description"}:
            raise UsageError(f"input_data in {file} has {entry!r}, expected path and description")


def _copy_program(facts: ConfiguredAgent, goal: Path, excluded: tuple[Path, ...]) -> None:
    """A copy of the program: a folder's own files, or a repository without its history."""
    if facts.path is not None:
        if not facts.path.is_dir():
            raise UsageError(
                f"the program of {facts.name} should be in {facts.path}, which is not a folder"
            )
        copy_files(own_files(facts.path, excluded), facts.path, goal)
        return
    _git("clone", "--quiet", "--no-checkout", "--", str(facts.repository), str(goal))
    _git("-C", str(goal), "checkout", "--quiet", facts.revision or "HEAD", "--")
    shutil.rmtree(goal / ".git")


def _git(*words: str) -> None:
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True)
    except FileNotFoundError:
        raise UsageError("git is needed for agents from a repository; install it") from None
    if done.returncode:
        tail = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise UsageError(f"the agent's repository cannot be fetched: {tail[0]}")


def _write_package(facts: ConfiguredAgent, folder: Path) -> None:
    shutil.copyfile(LAUNCHER, folder / "launch.py")
    settings = {
        "command": facts.command,
        "task": facts.task,
        "input_data": list(facts.input_data),
        "retries": facts.retries,
    }
    (folder / "settings.json").write_text(json.dumps(settings, indent=1), "utf-8")
    if facts.requirements:
        source = (folder / "program" / facts.requirements).resolve()
        if not source.is_relative_to(folder.resolve()) or not source.is_file():
            raise UsageError(f"the program of {facts.name} has no file {facts.requirements}")
        shutil.copyfile(source, folder / "requirements.txt")
    package = {
        "name": _folder_name(facts.name),
        "version": facts.version,
        "description": facts.description,
        "command": ["python3", "/opt/agent/launch.py"],
        "needs_model": facts.needs_model,
        "environment": facts.environment,
        "parameters": _plain(facts.parameters),
    }
    (folder / "agent.toml").write_text(tomli_w.dumps(package), "utf-8")


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters if JSON, in which the agent receives them, and TOML can store them."""
    try:
        plain: dict[str, Any] = json.loads(json.dumps(parameters))
        tomli_w.dumps(plain)
    except TypeError as error:
        raise UsageError(
            f"parameters cannot be stored: {error};"
            " expected strings, numbers, booleans, lists or maps"
        ) from None
    return plain


def _folder_name(name: str) -> str:
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip(".-")
    return kept or hashlib.sha256(name.encode()).hexdigest()[:8]
