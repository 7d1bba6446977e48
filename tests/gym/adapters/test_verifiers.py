"""verifiers: its own evaluation of our taskset, against a scripted endpoint."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.gym.adapters.scripts import EPISODES, actions, expected

vf = pytest.importorskip("verifiers.v1", reason="verifiers 0.4 is not installed")


def completion(body: dict[str, Any], kind: str, choice: dict[str, Any]) -> dict[str, Any]:
    facts = {"id": "c", "object": kind, "created": 0, "model": body["model"]}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {**facts, "choices": [{"index": 0, **choice}], "usage": usage}


def reply_to(body: dict[str, Any], content: str) -> bytes:
    message = {"role": "assistant", "content": content}
    choice = {"message": message, "finish_reason": "stop"}
    return json.dumps(completion(body, "chat.completion", choice)).encode()


def stream_of(body: dict[str, Any], content: str) -> bytes:
    """The same as server-sent events."""
    parts: list[dict[str, Any]] = [
        {"delta": {"role": "assistant", "content": content}, "finish_reason": None},
        {"delta": {}, "finish_reason": "stop"},
    ]
    chunks = [completion(body, "chat.completion.chunk", part) for part in parts]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


class Scripted(BaseHTTPRequestHandler):
    """A model that takes the next scripted action; the first prompt tells which script."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        number = int(body["model"].rpartition("-")[2])
        content = json.dumps(actions(number)[turn])
        self.send_response(200)
        kind = "text/event-stream" if body.get("stream") else "application/json"
        self.send_header("content-type", kind)
        self.end_headers()
        self.wfile.write(
            stream_of(body, content) if body.get("stream") else reply_to(body, content)
        )
        self.close_connection = True

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


async def play_all(endpoint: str, settings: dict[str, Any]) -> list[Any]:
    from mlebench.gym.adapters.verifiers import MLEEnvConfig, MLEEnvironment, MLETasksetConfig
    from mlebench.gym.services import close_shared_services

    given = {name: value for name, value in settings.items() if name != "competition"}
    taskset = MLETasksetConfig(
        id="mlebench-gym", competitions=[settings["competition"]], seeds=EPISODES, **given
    )
    player = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())
    env = MLEEnvironment(MLEEnvConfig(id="mlebench-gym", taskset=taskset, player=player))
    episodes = []
    for task in env.taskset:
        client = vf.EvalClientConfig(base_url=endpoint, api_key_var="SCRIPTED_KEY")
        context = vf.ModelContext(f"scripted-{task.data.seed}", client)
        episodes.append(await env.run_episode(task, context))
    await close_shared_services()
    return episodes


@pytest.mark.timeout(900)
def test_eight_episodes(
    endpoint: str, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIPTED_KEY", "none")
    episodes = asyncio.run(play_all(endpoint, settings))
    assert len(episodes) == EPISODES
    for number, episode in enumerate(episodes):
        assert not episode.errors, episode.errors
        trace = episode.traces[0]
        assert trace.rewards["mlebench"].score == pytest.approx(expected(number))
        assert trace.metrics["is_valid"] == float(number % 2 == 0)
