"""NeMo Gym's resources server, over HTTP with a session cookie."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gym.adapters.scripts import EPISODES, actions, expected

pytest.importorskip("nemo_gym", reason="nemo-gym, which needs Python 3.12, is not installed")

PROMPT: dict[str, Any] = {"input": [{"role": "user", "content": "Win."}]}
ANSWER: dict[str, Any] = {
    "id": "r",
    "created_at": 0.0,
    "model": "scripted",
    "object": "response",
    "output": [],
    "parallel_tool_calls": False,
    "tool_choice": "auto",
    "tools": [],
}


def test_eight_episodes(settings: dict[str, Any]) -> None:
    from fastapi.testclient import TestClient
    from nemo_gym.server_utils import ServerClient
    from omegaconf import DictConfig

    from mlebench.gym.adapters.nemo import MLEConfig, MLEResourcesServer

    config = MLEConfig(host="127.0.0.1", port=1, entrypoint="", name="mlebench", **settings)
    client = ServerClient(
        head_server_config={"host": "127.0.0.1", "port": 1},
        global_config_dict=DictConfig({}),
    )
    app = MLEResourcesServer(config=config, server_client=client).setup_webserver()
    # One event loop for all requests: episodes live between them.
    with TestClient(app) as first:
        for number in range(EPISODES):
            first.cookies.clear()
            seeded = first.post("/seed_session", json={"seed": number})
            assert "Starter: Wine" in seeded.json()["observation"]
            for action in actions(number):
                given = dict(action)
                reply = first.post(f"/{given.pop('kind')}", json=given).json()
            assert reply["is_over"]
            assert first.post("/submit", json={}).json()["is_over"]
            body = {"responses_create_params": PROMPT, "response": ANSWER}
            verdict = first.post("/verify", json=body).json()
            assert verdict["reward"] == pytest.approx(expected(number))
            assert verdict["is_valid"] is (number % 2 == 0)
            assert verdict["mask_sample"] is False
