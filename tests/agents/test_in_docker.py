"""A published agent in containers of a real engine: mounted, and as a layer of the image."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlebench.agents.base import AgentPackage
from mlebench.agents.installed import find_installed, require_program
from mlebench.agents.installing import install_program
from mlebench.agents.registry import find_agent
from mlebench.errors import SandboxError
from mlebench.trials.check import check_agent
from tests.sandbox.docker_engine import IMAGE, NoEngine, engine

pytest.importorskip("docker", reason="the docker package is not installed")
pytestmark = [pytest.mark.docker, pytest.mark.long, pytest.mark.timeout(1500)]
RECIPE = Path(__file__).parents[2] / "images" / "agent" / "agents.Dockerfile"


@pytest.fixture(scope="module")
def agent() -> AgentPackage:
    found = find_agent("qwen-code")
    try:
        install_program(found)
    except SandboxError as error:
        pytest.skip(f"qwen-code cannot be installed here: {error}")
    return found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    try:
        with engine(tmp_path_factory.mktemp("engine")) as found:
            yield found
    except NoEngine as reason:
        pytest.skip(f"no Docker engine can run here: {reason}")


@pytest.fixture(autouse=True)
def connected(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", address)


def test_a_mounted_program(agent: AgentPackage) -> None:
    found = check_agent(agent, sandbox="docker", image=IMAGE, seconds=600)
    assert found.is_ok, f"{found.reason}\n{found.log}"
    assert found.has_mcp


def test_a_layer_of_the_image(
    agent: AgentPackage, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine where it is not installed."""
    words = ["docker", "-H", address, "build", "--quiet", "-t", "mlebench-test:qwen-code"]
    words += ["-f", str(RECIPE), "--build-arg", f"BASE={IMAGE}"]
    words += ["--build-arg", "NAME=qwen-code", str(require_program(agent))]
    environment = {**os.environ, "DOCKER_BUILDKIT": "0"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert find_installed(agent) is None
    found = check_agent(agent, sandbox="docker", image="mlebench-test:qwen-code", seconds=600)
    assert found.is_ok, f"{found.reason}\n{found.log}"
    without = check_agent(agent, sandbox="docker", image=IMAGE, seconds=60)
    assert not without.is_ok
    assert "is not in this sandbox" in without.log
