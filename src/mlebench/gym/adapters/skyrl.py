"""SkyRL (skyrl-gym): a text environment.

    from skyrl_gym import register
    register(id="mlebench", entry_point="mlebench.gym.adapters.skyrl:SkyRLEnv")

`extras` of a row may name the competition and the seed.
"""

from __future__ import annotations

from typing import Any

from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

from mlebench.gym.adapters.session import SessionSettings, TextSession
from mlebench.gym.adapters.text import ACTION_HELP
from mlebench.gym.background import run_in_background

Messages = list[dict[str, str]]


class SkyRLEnv(BaseTextEnv):
    """One episode for each `init`.

    Args:
        env_config: fields of `SessionSettings`.
        extras: the row of the data set: `competition` and `seed`, both optional.
    """

    def __init__(self, env_config: Any = None, extras: dict[str, Any] | None = None) -> None:
        super().__init__()
        row = extras or {}
        settings = dict(env_config or {})
        settings |= {name: row[name] for name in ("competition", "seed") if name in row}
        self._session = TextSession(SessionSettings(**settings))
        self.max_turns = int(self._session.settings.limits.get("steps", 50))

    def init(self, prompt: Messages) -> tuple[Messages, dict[str, Any]]:
        """Begin; the task is added to the prompt."""
        text = run_in_background(self._session.start())
        self.turns = 0
        first = {"role": "user", "content": f"{text}\n\n{ACTION_HELP}"}
        return [*prompt, first], {"competition": self._session.settings.competition}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """One turn; `metadata["blame"]` is `infrastructure` where the episode is to be masked."""
        result = run_in_background(self._session.act(action))
        self.turns += 1
        message = {"role": "user", "content": result.observation.text}
        return BaseTextEnvStepOutput(
            observations=[] if self._session.is_over else [message],
            reward=0.0 if result.reward is None else result.reward,
            done=self._session.is_over,
            metadata=dict(result.info) | {"validation": result.observation.validation},
            postprocessed_action=action,
        )

    def close(self) -> None:
        run_in_background(self._session.close())

    def get_metrics(self) -> dict[str, Any]:
        return self._session.metrics
