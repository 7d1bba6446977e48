"""Groups to run: prepared rehearsal data, tiny agents, the best sandbox that works here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.catalogue import Catalogue
from mlebench.runner.group import RunRequest, start_group
from mlebench.runner.plan import PlannedGroup
from mlebench.runner.tools import Work
from mlebench.sandbox.registry import get_sandbox

Start = Callable[..., tuple[PlannedGroup, Work]]


@pytest.fixture(scope="session")
def sandbox() -> str:
    """Bubblewrap where it works, else the plain process."""
    return "bubblewrap" if get_sandbox("bubblewrap").availability().works else "process"


@pytest.fixture
def write_agent(tmp_path: Path) -> Callable[[str], AgentPackage]:
    """An agent from the text of a shell script."""

    def write(script: str, name: str = "tiny") -> AgentPackage:
        folder = tmp_path / "agents" / name
        folder.mkdir(parents=True)
        (folder / "agent.toml").write_text(f'name = "{name}"\nversion = "1"\n')
        (folder / "start.sh").write_text(script)
        return load_agent(folder)

    return write


@pytest.fixture
def start(prepared: Catalogue, tmp_path: Path, sandbox: str) -> Start:
    """Plan a group of an agent on spaceship-titanic."""

    def plan(agent: AgentPackage, seeds: int = 1, **changes: object) -> tuple[PlannedGroup, Work]:
        request = RunRequest(sandbox=sandbox, seeds=seeds, profile="small", **changes)  # type: ignore[arg-type]
        return start_group(prepared, agent, ["spaceship-titanic"], request, tmp_path / "runs")

    return plan
