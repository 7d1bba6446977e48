"""OpenEnv: an environment server with concurrent sessions, and its typed client.

    uvicorn --factory mlebench.gym.adapters.openenv:make_app

Settings come from `MLEBENCH_GYM`, a JSON object with fields of `SessionSettings`.
"""

from __future__ import annotations

import json
import os
from functools import partial
from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from mlebench.gym.adapters.session import SessionSettings, TextSession
from mlebench.gym.background import run_in_background

SETTINGS = "MLEBENCH_GYM"


class MLEAction(Action):
    """An action of an episode."""

    kind: str = Field(description="info, run, write, read, validate or submit")
    topic: str | None = None
    code: str | None = None
    command: str | None = None
    path: str | None = None
    text: str | None = None
    start: int | None = None
    count: int | None = None
    seconds: float | None = None

    def as_action(self) -> dict[str, Any]:
        """As `parse_action` takes it."""
        given: dict[str, Any] = self.model_dump(exclude_none=True, exclude={"metadata"})
        return given


class MLEObservation(Observation):
    """The result of an action; `metadata["blame"]` says when to mask the reward."""

    text: str = ""
    status: str = "ok"
    validation: str = "unknown"


class ServedEnvironment(Environment[MLEAction, MLEObservation, State]):
    """One session: one episode at a time."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, settings: SessionSettings | None = None) -> None:
        super().__init__()
        self._session = TextSession(settings or SessionSettings())
        self._episode_id: str | None = None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **row: Any
    ) -> MLEObservation:
        self._episode_id = episode_id
        competition = row.get("competition")
        text = run_in_background(self._session.start(seed=seed, competition=competition))
        return MLEObservation(text=text, metadata={"blame": None})

    def step(
        self, action: MLEAction, timeout_s: float | None = None, **options: Any
    ) -> MLEObservation:
        given = action.as_action()
        if timeout_s is not None and given["kind"] == "run":
            given["seconds"] = min(timeout_s, given.get("seconds", timeout_s))
        result = run_in_background(self._session.act(given))
        seen = result.observation
        return MLEObservation(
            text=seen.text,
            status=seen.status,
            validation=seen.validation,
            done=self._session.is_over,
            reward=result.reward,
            metadata=dict(result.info),
        )

    @property
    def state(self) -> State:
        return State(episode_id=self._episode_id, step_count=self._session.steps)

    def close(self) -> None:
        run_in_background(self._session.close())


class MLEClient(EnvClient[MLEAction, MLEObservation, State]):
    """A session with a server."""

    def _step_payload(self, action: MLEAction) -> dict[str, Any]:
        return action.as_action()

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[MLEObservation]:
        ends = {"done": payload.get("done", False), "reward": payload.get("reward")}
        seen = {**payload.get("observation", {}), **ends}
        return StepResult(observation=MLEObservation(**seen), **ends)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


def make_app(settings: SessionSettings | None = None, *, sessions: int = 64) -> Any:
    """The server's application."""
    given = settings or SessionSettings(**json.loads(os.environ.get(SETTINGS, "{}")))
    factory = partial(ServedEnvironment, given)
    return create_fastapi_app(factory, MLEAction, MLEObservation, max_concurrent_envs=sessions)
