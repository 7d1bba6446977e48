"""SkyRL's text environment, made through its own registry."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.gym.adapters.scripts import EPISODES, actions, expected

skyrl_gym = pytest.importorskip("skyrl_gym", reason="skyrl-gym is not installed")


def test_eight_episodes(settings: dict[str, Any]) -> None:
    entry = "mlebench.gym.adapters.skyrl:SkyRLEnv"
    skyrl_gym.register(id="mlebench-test", entry_point=entry)
    for number in range(EPISODES):
        env = skyrl_gym.make("mlebench-test", env_config=settings, extras={"seed": number})
        prompt, _ = env.init([{"role": "system", "content": "You are an engineer."}])
        assert prompt[0]["role"] == "system" and "Starter: Wine" in prompt[-1]["content"]
        turns = [env.step(f"I do this.\n{json.dumps(action)}") for action in actions(number)]
        env.close()
        assert [turn["done"] for turn in turns] == [False, False, True]
        assert sum(turn["reward"] for turn in turns) == pytest.approx(expected(number))
        assert turns[0]["observations"][0]["content"].startswith("id,cultivar_1")
        assert env.get_metrics()["is_valid"] == float(number % 2 == 0)
