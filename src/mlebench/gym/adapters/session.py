"""What all adapters share: settings that can be pickled, and an episode driven by texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.gym.adapters.text import action_of_text
from mlebench.gym.episode import Episode
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.observation import Observation
from mlebench.gym.services import WARM, shared_services
from mlebench.gym.state import StepResult


@dataclass(frozen=True, kw_only=True)
class SessionSettings:
    """How to make episodes of one task, as plain values: a pickle of it contains no answer."""

    competition: str = "starter-wine"
    reward: str = "human_rank"
    limits: Mapping[str, Any] = field(default_factory=dict)
    data_dir: str | None = None
    logs: str | None = None
    sandbox: str = WARM
    seed: int = 0

    def make_episode(self) -> Episode:
        """An episode on the hold-out; adapters never evaluate."""
        return Episode(
            self.competition,
            seed=self.seed,
            reward=self.reward,
            limits=EpisodeLimits(**self.limits),
            logs=Path(self.logs) if self.logs else None,
            catalogue=Catalogue(Path(self.data_dir) if self.data_dir else None),
        )


class TextSession:
    """One episode and its results so far."""

    def __init__(self, settings: SessionSettings) -> None:
        self.settings = settings
        self._episode: Episode | None = None
        self._clear()

    def _clear(self) -> None:
        self.total: float | None = 0.0
        self.steps = 0
        self.is_over = False
        self.blame: str | None = None
        self.observation: Observation | None = None

    async def start(self, *, seed: int | None = None, competition: str | None = None) -> str:
        """Begin an episode; returns the text that says what to do."""
        await self.close()
        self._clear()
        if competition:
            self.settings = replace(self.settings, competition=competition)
        self._episode = self.settings.make_episode()
        self._episode.use(shared_services(self.settings.sandbox))
        self.observation = await self._episode.reset(seed=seed)
        return self.observation.text

    async def act(self, action: str | Mapping[str, Any]) -> StepResult:
        """Take an action, given as an object or in the text of a model."""
        given = action_of_text(action) if isinstance(action, str) else action
        if self._episode is None:
            raise UsageError("the episode is over or has not begun")
        result = await self._episode.step(given)
        self.steps, self.observation = self.steps + 1, result.observation
        self.is_over = result.terminated or result.truncated
        self.blame = result.info["blame"]
        self.total = self._sum(result.reward)
        return result

    def _sum(self, reward: float | None) -> float | None:
        """The sum of the rewards; None once the machine has failed, so that trainers mask it."""
        if self.blame == "infrastructure" or reward is None or self.total is None:
            return None
        return self.total + reward

    async def close(self) -> None:
        episode, self._episode = self._episode, None
        if episode is not None:
            await episode.close()

    @property
    def metrics(self) -> dict[str, float]:
        """Numbers about the episode, for the logs of a trainer."""
        validation = self.observation.validation if self.observation else "unknown"
        return {
            "steps": float(self.steps),
            "is_valid": float(validation == "valid"),
            "is_lost": float(self.total is None),
        }
