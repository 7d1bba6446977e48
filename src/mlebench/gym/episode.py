"""Episode: one attempt at a task, step by step, as coroutines."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from mlebench.catalogue import Catalogue
from mlebench.errors import SandboxError, UsageError
from mlebench.gym.actions import Action, Restart, parse_action
from mlebench.gym.limits import EpisodeLimits
from mlebench.gym.observation import Observation
from mlebench.gym.rewards import Reward, parse_reward
from mlebench.gym.services import Services, shared_services
from mlebench.gym.state import ActionResult, EpisodeState, StateSettings, StepResult
from mlebench.gym.tasks import DEFAULT_REVISION, GymTask, Split, find_task
from mlebench.gym.workspace import Workspace


class Episode:
    """One attempt at a task. Not for two tasks at a time; `reset` starts another attempt.

    Args:
        competition: an id, or a task that `find_task` returned.
        reward: a name such as `medal` or `improvement+valid`, or a `Reward`.
        split: `train` scores against a hold-out of the public train part. `test` is an evaluation
            and must be asked for with `evaluate=True`.
        logs: a folder for one JSONL file per attempt; needed for `test`, whose ledger is there.
        services: what to share with other episodes; by default those of the event loop.
    """

    def __init__(
        self,
        competition: str | GymTask,
        *,
        revision: str = DEFAULT_REVISION,
        seed: int = 0,
        limits: EpisodeLimits | None = None,
        reward: str | Reward = "human_rank",
        split: Split = "train",
        evaluate: bool = False,
        logs: Path | None = None,
        catalogue: Catalogue | None = None,
        services: Services | None = None,
    ) -> None:
        if isinstance(competition, str):
            competition = find_task(
                competition,
                revision=revision,
                split=split,
                evaluate=evaluate,
                catalogue=catalogue,
            )
        self.task = competition
        if self.task.split == "test" and logs is None:
            raise UsageError("an evaluation writes a ledger: pass a folder for it as `logs`")
        self.seed = seed
        self.limits = limits or EpisodeLimits()
        self.reward = parse_reward(reward)
        self.logs = logs
        self._services = services
        self._workspace: Workspace | None = None
        self._state: EpisodeState | None = None

    def use(self, services: Services) -> None:
        """Share these services from the next reset on."""
        self._services = services

    async def reset(self, *, seed: int | None = None) -> Observation:
        """Start an attempt in an empty workspace; one that still goes on is closed."""
        await self.close()
        self.seed = self.seed if seed is None else seed
        services = self._services or shared_services()
        self._workspace = await self._open(services)
        services.scoring.of(self.task).start_soon()
        self._state = EpisodeState(
            StateSettings(self.task, self.limits, self.reward, self.seed, self.logs), services
        )
        return self._state.begin(self._workspace.sandbox)

    async def step(self, action: Action | Mapping[str, Any]) -> StepResult:
        """Take an action.

        Raises:
            UsageError: the episode has not begun, or has ended.
        """
        state, workspace = self._running()
        started = time.monotonic()
        try:
            parsed = parse_action(action)
        except UsageError as error:
            refused = ActionResult(str(error), "refused")
            return state.finish_step({"kind": "unknown"}, refused, started)
        shown = msgspec.to_builtins(parsed)
        if isinstance(parsed, Restart):
            outcome = await self._restart(state)
        else:
            outcome = await state.act(parsed, workspace)
        return state.finish_step(shown, outcome, started)

    async def close(self) -> None:
        """End the attempt and everything that runs for it; may be called again."""
        state, self._state = self._state, None
        workspace, self._workspace = self._workspace, None
        if state is not None:
            state.end("closed")
        if workspace is not None:
            await workspace.close()

    @property
    def measurements(self) -> dict[str, Any]:
        """Seconds, files and the like, which differ between repetitions."""
        return self._state.measurements if self._state else {}

    async def _open(self, services: Services) -> Workspace:
        source = await services.source()
        return await source.open(self.task, self.limits)

    async def _restart(self, state: EpisodeState) -> ActionResult:
        if self._workspace is not None:
            await self._workspace.close()
        try:
            self._workspace = await self._open(state.services)
        except SandboxError as error:
            return state.lose(error)
        return ActionResult("all folders are empty again")

    def _running(self) -> tuple[EpisodeState, Workspace]:
        state, workspace = self._state, self._workspace
        if state is None or workspace is None or state.ended is not None:
            raise UsageError("the episode is over or has not begun; call reset")
        return state, workspace
