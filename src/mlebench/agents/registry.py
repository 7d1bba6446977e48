"""Finding agents: our own, those of other packages, a folder of the user's, or a single command."""

from __future__ import annotations

import importlib.util
import logging
import shlex
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.errors import UsageError
from mlebench.registry import unknown

HOME = Path(__file__).parent
ENTRY_POINTS = "mlebench.agents"
PLACES = {
    "data": "/home/data",
    "submission": "/home/submission/submission.csv",
    "code": "/home/code",
    "logs": "/home/logs",
}

log = logging.getLogger(__name__)


def list_agents() -> dict[str, Path]:
    """The agents that can be called by name."""
    own = {f.parent.name: f.parent for f in HOME.glob("*/agent.toml")}
    return dict(sorted((_plugins() | own).items()))


def find_agent(name: str) -> AgentPackage:
    """An agent by its name, or by the path of its folder."""
    known = list_agents()
    if name in known:
        return load_agent(known[name])
    folder = Path(name).expanduser()
    if folder.is_dir():
        return load_agent(folder.resolve())
    if "/" in name:
        raise UsageError(f"the agent folder {name} does not exist")
    raise UsageError(unknown("agent", name, list(known)))


def command_agent(command: str, folder: Path, *, name: str = "command") -> AgentPackage:
    """An agent that is one command line; its folder is copied from the current one beforehand.

    Args:
        command: may name `{data}`, `{submission}`, `{code}` and `{logs}`.
    """
    try:
        words = shlex.split(command.format(**PLACES))
    except (KeyError, ValueError, IndexError) as error:
        known = ", ".join(f"{{{place}}}" for place in PLACES)
        raise UsageError(
            f"the command {command!r} cannot be read ({error}); known: {known}"
        ) from None
    if not words:
        raise UsageError("the command is empty")
    return AgentPackage(name=name, version="0", folder=folder, command=tuple(words))


def write_command_agent(command: str, folder: Path, *, name: str = "command") -> AgentPackage:
    """The same as a package on disk, which workers can load."""
    agent = command_agent(command, folder, name=name)
    words = ", ".join(_toml_text(word) for word in agent.command)
    text = f'name = {_toml_text(name)}\nversion = "0"\ncommand = [{words}]\n'
    tomllib.loads(text)
    (folder / "agent.toml").write_text(text, "utf-8")
    return load_agent(folder)


def _toml_text(text: str) -> str:
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
