"""Finding agents: our own, those of other packages, a folder of the user's, or a single command."""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import shlex
import shutil
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

from mlebench.agents import own_agents
from mlebench.agents.base import AgentPackage, load_agent
from mlebench.agents.environments import default_cache
from mlebench.errors import UsageError, unknown

ENTRY_POINTS = "mlebench.agents"
PLACES = {
    "data": "/home/data",
    "submission": "/home/submission/submission.csv",
    "code": "/home/code",
    "logs": "/home/logs",
}
LEFT_OUT = {"runs", "data", "venv", "node_modules", "__pycache__"}
MAX_COMMAND_BYTES = 64 << 20

log = logging.getLogger(__name__)


def list_agents() -> dict[str, Path]:
    """The agents that can be called by name."""
    return dict(sorted((_plugins() | own_agents()).items()))


def find_agent(name: str) -> AgentPackage:
    """An agent by its name, or by the path of its folder or of its YAML file."""
    known = list_agents()
    if name in known:
        return load_agent(known[name])
    folder = Path(name).expanduser()
    if folder.is_dir():
        return load_agent(folder.resolve())
    if folder.suffix in (".yaml", ".yml"):
        from mlebench.agents.configured import configured_agent

        return configured_agent(folder.resolve())
    if "/" in name:
        raise UsageError(f"the agent folder {name} does not exist")
    raise UsageError(unknown("agent", name, list(known)))


def command_agent(command: str, source: Path, cache: Path | None = None) -> AgentPackage:
    """An agent that is one command line, with a copy of the folder it is called from.

    Args:
        command: may name `{data}`, `{submission}`, `{code}` and `{logs}`.
    """
    try:
        line = command.format(**PLACES)
    except (KeyError, ValueError, IndexError) as error:
        known = ", ".join(f"{{{place}}}" for place in PLACES)
        raise UsageError(
            f"the command {command!r} cannot be read ({error}); known: {known}"
        ) from None
    if not shlex.split(line):
        raise UsageError("the command is empty")
    files = list(own_files(source))
    digest = hashlib.sha256(line.encode())
    for file in files:
        digest.update(file.relative_to(source).as_posix().encode() + b"\0" + file.read_bytes())
    folder = (cache or default_cache().parent / "commands") / digest.hexdigest()[:16]
    if not (folder / "agent.toml").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            target = folder / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
        words = ", ".join(map(toml_text, ("sh", "-c", f"cd /opt/agent && exec {line}")))
        text = f'name = "command"\nversion = "0"\ncommand = [{words}]\n'
        (folder / "agent.toml").write_text(text, "utf-8")
    return load_agent(folder)


def own_files(source: Path) -> Iterator[Path]:
    """The files that a command may need: no hidden ones, no runs, data or environments."""
    left = MAX_COMMAND_BYTES
    for home, folders, names in os.walk(source):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in LEFT_OUT)
        for name in sorted(names):
            file = Path(home) / name
            if name.startswith(".") or file.is_symlink() or not file.is_file():
                continue
            left -= file.stat().st_size
            if left < 0:
                raise UsageError(
                    f"{source} holds more than {MAX_COMMAND_BYTES >> 20} MB beside its command;"
                    " call it from a folder with the program alone"
                )
            yield file


def toml_text(text: str) -> str:
    """A text as TOML writes it."""
    escaped = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    )
    return f'"{escaped}"'


def _plugins() -> dict[str, Path]:
    found = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            spec = importlib.util.find_spec(point.value)
        except (ImportError, ValueError) as error:
            log.warning("agent %s of an installed package cannot be loaded: %s", point.name, error)
            continue
        places = list(spec.submodule_search_locations or ()) if spec else []
        if places:
            found[point.name] = Path(places[0])
        else:
            log.warning("agent %s of an installed package was not found", point.name)
    return found
