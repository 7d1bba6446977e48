"""Gymnasium environments over episodes, registered as `mlebench/<competition>-v1`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium.utils import EzPickle

from mlebench.catalogue import Catalogue
from mlebench.gym.background import run_in_background
from mlebench.gym.episode import Episode
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.observation import Observation
from mlebench.gym.services import WARM, shared_services
from mlebench.gym.spaces import action_space, from_space, observation_space, to_space
from mlebench.gym.tasks import DEFAULT_REVISION, Split, find_task

NAMESPACE, VERSION = "mlebench", 1
MAX_SEED = 2**31


class CompetitionEnv(gymnasium.Env[dict[str, Any], dict[str, Any]], EzPickle):
    """One competition. What differs between repetitions is in `measurements`, never in `info`.

    Args:
        competition: its id.
        limits: of `EpisodeLimits`, by name.
        data_dir: where prepared data is.
        logs: a folder for one JSONL file per episode.
        sandbox: `warm`, or the name of any sandbox.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        competition: str,
        *,
        revision: str = DEFAULT_REVISION,
        split: Split = "train",
        evaluate: bool = False,
        reward: str = "human_rank",
        limits: Mapping[str, Any] | None = None,
        data_dir: str | Path | None = None,
        logs: str | Path | None = None,
        sandbox: str = WARM,
        render_mode: str | None = None,
    ) -> None:
        given = {
            name: value for name, value in locals().items() if name not in ("self", "__class__")
        }
        EzPickle.__init__(self, **given)
        self.render_mode = render_mode
        self.limits = EpisodeLimits(**(limits or {}))
        self.action_space = action_space()
        self.observation_space = observation_space(self.limits)
        task = find_task(
            competition,
            revision=revision,
            split=split,
            evaluate=evaluate,
            catalogue=Catalogue(Path(data_dir) if data_dir else None),
        )
        self._sandbox = sandbox
        self._episode = Episode(
            task,
            limits=self.limits,
            reward=reward,
            logs=Path(logs) if logs else None,
        )
        self._last: Observation | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start an episode; without a seed, the generator of the last one continues. No options."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(MAX_SEED))
        self._last = run_in_background(self._reset(drawn))
        return to_space(self._last), {"reward": self._episode.reward.label}

    async def _reset(self, seed: int) -> Observation:
        self._episode.use(shared_services(self._sandbox))
        return await self._episode.reset(seed=seed)

    def step(
        self, action: dict[str, Any]
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take an action; `info["blame"]` is `infrastructure` where a reward is to be masked."""
        result = run_in_background(self._episode.step(from_space(action)))
        self._last = result.observation
        reward = 0.0 if result.reward is None else result.reward
        return to_space(self._last), reward, result.terminated, result.truncated, result.info

    def render(self) -> str | None:
        """The last observation as text, in the mode `ansi`."""
        if self.render_mode != "ansi":
            return None
        return self._last.text if self._last else ""

    def close(self) -> None:
        """End the episode; what environments share stays until the process ends."""
        run_in_background(self._episode.close())

    @property
    def measurements(self) -> dict[str, Any]:
        """Seconds, processor seconds, the log's path and the like."""
        return self._episode.measurements


def environment_id(competition_id: str) -> str:
    """The registered name of a competition."""
    return f"{NAMESPACE}/{competition_id}-v{VERSION}"


def register_environments(catalogue: Catalogue | None = None) -> list[str]:
    """Register every competition that is not registered yet; returns the names of all."""
    names = []
    for competition_id in (catalogue or Catalogue()).list_competition_ids():
        name = environment_id(competition_id)
        names.append(name)
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="mlebench.gym.environment:CompetitionEnv",
                kwargs={"competition": competition_id},
            )
    return names


register_environments()
