"""Find agents by name: our own, those of other packages, or the user's folder or YAML file."""

from __future__ import annotations

from pathlib import Path

from mlebench.agents import own_agents
from mlebench.agents.base import AgentPackage, load_agent
from mlebench.agents.configured import configured_agent
from mlebench.catalogue.loading import find_plugins
from mlebench.errors import UnknownNameError, unknown

ENTRY_POINTS = "mlebench.agents"


def list_agents() -> dict[str, Path]:
    """The agents that can be called by name."""
    return dict(sorted((find_plugins(ENTRY_POINTS, "agent") | own_agents()).items()))


def find_agent(name: str, excluded: tuple[Path, ...] = ()) -> AgentPackage:
    """An agent by its name, or by the path of its folder or of its YAML file.

    Args:
        excluded: folders that never belong to the agent: the data and runs folders.
    """
    known = list_agents()
    if name in known:
        return load_agent(known[name])
    folder = Path(name).expanduser()
    if folder.is_dir():
        return load_agent(folder.resolve(), excluded=excluded)
    if folder.suffix in (".yaml", ".yml"):
        return configured_agent(folder.resolve(), excluded=excluded)
    if "/" in name:
        raise UnknownNameError(f"the agent folder {name} does not exist")
    raise UnknownNameError(unknown("agent", name, list(known)))
