"""Find agents by name: our own, those of other packages, or a folder of the user's."""

from __future__ import annotations

import importlib.util
import logging
from importlib.metadata import entry_points
from pathlib import Path

from mlebench.agents import own_agents
from mlebench.agents.base import AgentPackage, load_agent
from mlebench.agents.configured import configured_agent
from mlebench.errors import UnknownNameError, unknown

ENTRY_POINTS = "mlebench.agents"

log = logging.getLogger(__name__)


def list_agents() -> dict[str, Path]:
    """The agents that can be called by name."""
    return dict(sorted((_plugins() | own_agents()).items()))


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
