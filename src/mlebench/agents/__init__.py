"""Agents, the programs that work on competitions: one folder each, and how they are found."""

from pathlib import Path

HOME = Path(__file__).parent


def own_agents() -> dict[str, Path]:
    """The agents of this package and their folders."""
    places = (file for one in ("", "llm/", "coding/") for file in HOME.glob(f"{one}*/agent.toml"))
    return {file.parent.name: file.parent for file in places}
