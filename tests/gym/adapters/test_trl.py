"""TRL: what its trainer finds in the environment, and episodes as it plays them."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from mlebench.gym.adapters.trl import EnvironmentFactory, MLEEnv
from tests.gym.adapters.scripts import EPISODES, expected, program

TOOLS = {"info", "read_file", "write_file", "run_code", "validate", "submit"}


def test_public_methods_are_the_tools() -> None:
    """TRL takes every public method but two as a tool, and reads types and docstrings."""
    found = dict(inspect.getmembers(MLEEnv, inspect.isfunction))
    public = {name for name in found if not name.startswith("_")}
    assert public == TOOLS | {"reset", "get_reward"}


def test_schemas_of_the_tools() -> None:
    utils = pytest.importorskip("transformers.utils", reason="transformers is not installed")
    env = EnvironmentFactory()()
    for name in sorted(TOOLS):
        schema = utils.get_json_schema(getattr(env, name))["function"]
        assert schema["name"] == name and schema["description"]


def test_eight_episodes_as_the_trainer_plays_them(settings: dict[str, Any]) -> None:
    """Construct once, reset often, score by `get_reward`."""
    env = EnvironmentFactory(**settings)()
    for number in range(EPISODES):
        text = env.reset(seed=number, prompt="unused")
        assert text and "Starter: Wine" in text
        env.run_code(program(number))
        env.submit()
        assert env.submit() == "the episode is over"
        assert env.get_reward() == pytest.approx(expected(number))
