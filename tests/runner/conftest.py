"""Groups to run: prepared rehearsal data, tiny agents, the best sandbox that works here."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.catalogue import Catalogue
from mlebench.runner.group import RunRequest, start_group
from mlebench.runner.plan import PlannedGroup
from mlebench.runner.tools import Work
from mlebench.sandbox.registry import get_sandbox
from tests.runner.witness import Gate, Witness

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
def two_gpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in nvidia-smi that knows two GPUs of this test."""
    program = tmp_path / "bin" / "nvidia-smi"
    program.parent.mkdir()
    rows = [f"{k}, GPU-{tmp_path.name}-{k}, H200, 143771, 0, 570.1" for k in range(2)]
    text = "\\n".join(rows)
    program.write_text(f"#!/bin/sh\ncase \"$1\" in *apps*) ;; *) printf '{text}\\n';; esac\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    """Sees every start of an agent."""
    (tmp_path / "witness").mkdir()
    return Witness(tmp_path / "witness")


@pytest.fixture
def gate(witness: Witness) -> Gate:
    """Holds every run until the test opens it."""
    return Gate(witness.folder)


@pytest.fixture
def start(prepared: Catalogue, tmp_path: Path, sandbox: str) -> Start:
    """Plan a group of an agent on spaceship-titanic."""

    def plan(agent: AgentPackage, seeds: int = 1, **changes: object) -> tuple[PlannedGroup, Work]:
        asked = {"sandbox": sandbox, "seeds": seeds, "profile": "small"} | changes
        request = RunRequest(**asked)  # type: ignore[arg-type]
        return start_group(prepared, agent, ["spaceship-titanic"], request, tmp_path / "runs")

    return plan
