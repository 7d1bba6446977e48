"""The published coding agents themselves: installed, in bubblewrap, with a scripted model.

Two small ones are part of `make test-long`; `make test-agents` tests all of them, which downloads
some four gigabytes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from mlebench.agents import own_agents
from mlebench.agents.base import AgentPackage, load_agent
from mlebench.agents.installing import install_program
from mlebench.errors import SandboxError
from mlebench.trials.check import check_agent
from tests.closed_network import contacted, why_not
from tests.sandbox.conftest import require_sandbox

# Only a sandbox without walls shows whom a program would ask.
CHECK = """
import sys
from mlebench.agents.registry import find_agent
from mlebench.trials.check import check_agent
found = check_agent(find_agent(sys.argv[1]), sandbox="process", seconds=600)
sys.exit(None if found.is_ok else f"{found.reason}: {found.log}")
"""
SMALL = ("qwen-code", "smolagents")
AGENTS = {
    name: agent
    for name, folder in sorted(own_agents().items())
    if (agent := load_agent(folder)).program is not None
}
pytestmark = [pytest.mark.long, pytest.mark.timeout(1500)]


@pytest.fixture(params=AGENTS)
def agent(request: pytest.FixtureRequest) -> AgentPackage:
    """An agent whose program is installed."""
    name = request.param
    if name not in SMALL and not os.environ.get("MLEBENCH_TEST_AGENTS"):
        pytest.skip("large download: make test-agents")
    require_sandbox("bubblewrap")
    try:
        install_program(AGENTS[name])
    except SandboxError as error:
        pytest.skip(f"{name} cannot be installed here: {error}")
    return AGENTS[name]


def test_it_comes_to_a_valid_submission(agent: AgentPackage) -> None:
    found = check_agent(agent, sandbox="bubblewrap", seconds=600)
    assert found.is_ok, f"{found.reason}\n{found.log}"
    assert found.calls >= 1
    assert found.has_mcp == (agent.program is not None and agent.program.speaks_mcp)


def test_it_asks_nobody_but_the_gateway(agent: AgentPackage, tmp_path: Path) -> None:
    if reason := why_not():
        pytest.skip(reason)
    cache = {"XDG_CACHE_HOME": platformdirs.user_cache_dir()}
    found, _ = contacted(tmp_path, sys.executable, "-c", CHECK, agent.name, **cache)
    assert found == []
