"""Gymnasium environments: its own checks, registration, vectors, seeds."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mlebench.catalogue import Catalogue
from mlebench.gym import REWARD_NAMES, Observation
from tests.sandbox.conftest import require_sandbox

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from mlebench.gym.background import close_background  # noqa: E402
from mlebench.gym.environment import (  # noqa: E402
    CompetitionEnv,
    environment_id,
    register_environments,
)
from mlebench.gym.spaces import from_space, make_action, observation_space, to_space  # noqa: E402
from tests.gym.conftest import LIMITS, SAMPLE  # noqa: E402

NAME = environment_id("starter-wine")


@pytest.fixture(scope="module", autouse=True)
def _processes() -> Any:
    require_sandbox("bubblewrap")
    yield
    close_background()


@pytest.fixture
def options(wines: Catalogue, tmp_path: Path) -> dict[str, Any]:
    return {"data_dir": str(wines.get_data_dir()), "limits": vars(LIMITS), "logs": str(tmp_path)}


def test_every_competition_is_registered() -> None:
    names = register_environments()
    assert set(names) <= set(gymnasium.registry)
    assert len(names) >= 86
    assert "mlebench/spaceship-titanic-v1" in names


@pytest.mark.parametrize(
    "reward",
    [
        pytest.param(name, marks=[] if name == "medal" else pytest.mark.long)
        for name in REWARD_NAMES
    ],
)
def test_gymnasium_finds_nothing_wrong(reward: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(NAME, reward=reward, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


def test_the_same_seed_and_actions_give_the_same_results(options: dict[str, Any]) -> None:
    env = gymnasium.make(NAME, reward="improvement", **options)
    actions = [
        make_action("info", argument="data"),
        make_action("run", text=f"import random\nprint(random.random())\n{SAMPLE}"),
        make_action("read", argument="/home/submission/submission.csv"),
        make_action("validate"),
        make_action("submit"),
    ]

    def play(seed: int) -> list[Any]:
        found: list[Any] = [env.reset(seed=seed)]
        found += [env.step(action) for action in actions]
        return found

    first = play(5)
    for _ in range(3):
        assert play(5) == first
    assert play(6)[2] != first[2]
    assert first[-1][2] is True
    assert env.unwrapped.measurements["seconds"] > 0
    env.close()


@pytest.mark.long
def test_a_hundred_repetitions_agree(options: dict[str, Any]) -> None:
    env = gymnasium.make(NAME, reward="human_rank", **options)
    actions = [make_action("run", text=f"print({{'a', 'b'}})\n{SAMPLE}"), make_action("submit")]

    def play() -> list[Any]:
        return [env.reset(seed=1), *(env.step(action) for action in actions)]

    first = play()
    assert all(play() == first for _ in range(99))
    env.close()


def test_vectors(options: dict[str, Any]) -> None:
    env = gymnasium.make_vec(NAME, num_envs=2, vectorization_mode="sync", **options)
    observations, _ = env.reset(seed=1)
    assert len(observations["text"]) == 2
    env.action_space.seed(1)
    result = env.step(env.action_space.sample())
    assert result[1].shape == (2,)
    env.close()


def test_environments_are_pickled_without_their_processes(options: dict[str, Any]) -> None:
    env = CompetitionEnv("starter-wine", **options)
    env.reset(seed=1)
    copy = pickle.loads(pickle.dumps(env))
    assert copy.reset(seed=1)[0] == env.reset(seed=1)[0]
    copy.close()
    env.close()


def test_any_text_fits_into_its_space() -> None:
    space = observation_space(LIMITS)
    for text in ("", "\x00\x1b[31m\r\n\t", "日本語 ελληνικά русский हिन्दी", "\ud800", "😀" * 100):
        assert space.contains(to_space(Observation(text)))


def test_every_action_of_the_space_is_an_action() -> None:
    env_actions = [
        make_action(kind, argument="x", text="y", start=3)
        for kind in ("info", "run", "command", "write", "read", "validate", "submit", "restart")
    ]
    found = [type(from_space(action)).__name__ for action in env_actions]
    assert found == ["Info", "Run", "Run", "Write", "Read", "Validate", "Submit", "Restart"]
    assert env_actions[0]["kind"].dtype == np.int64
