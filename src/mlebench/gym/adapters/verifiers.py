"""verifiers 0.4 (v1) and prime-rl: a taskset of competitions, and the environment that plays them.

The model answers with one action per turn, as `ACTION_HELP` says; the rewards of the steps are
summed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from mlebench.gym.adapters.session import SessionSettings, TextSession
from mlebench.gym.adapters.text import ACTION_HELP

REWARD = "mlebench"


class MLEData(vf.TaskData):
    """A competition and a seed; the prompt is the first observation."""

    competition: str
    seed: int = 0
    settings: dict[str, Any] = Field(default_factory=dict)


class MLETask(vf.Task[MLEData]):
    """One episode."""


class MLETasksetConfig(vf.TasksetConfig):
    """Which episodes, and how."""

    competitions: list[str] = Field(default_factory=lambda: ["starter-wine"])
    seeds: int = 1
    reward: str = "human_rank"
    limits: dict[str, Any] = Field(default_factory=dict)
    data_dir: str | None = None
    logs: str | None = None
    sandbox: str = "warm"


class MLETaskset(vf.Taskset[MLETask, MLETasksetConfig]):
    """Every competition with every seed."""

    def load(self) -> Iterator[MLETask]:
        config = self.config
        names = ("reward", "limits", "data_dir", "logs", "sandbox")
        settings = {name: getattr(config, name) for name in names}
        for competition in config.competitions:
            for seed in range(config.seeds):
                data = MLEData(
                    name=f"{competition}#{seed}",
                    prompt=None,
                    competition=competition,
                    seed=seed,
                    settings=settings,
                )
                yield MLETask(data, config.task)


class MLEEnvConfig(vf.EnvConfig):
    """One agent, without tools of its own."""

    player: vf.AgentConfig = vf.AgentConfig()


class MLEEnvironment(vf.Env[MLEEnvConfig]):
    """Plays one episode: the environment is the user of the conversation."""

    async def run(self, task: Any, agents: Any) -> None:
        data = task.data
        settings = SessionSettings(competition=data.competition, seed=data.seed, **data.settings)
        session = TextSession(settings)
        try:
            text = f"{await session.start()}\n\n{ACTION_HELP}"
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn(text)
                while not segment.terminated and not session.is_over:
                    result = await session.act(segment.last_reply)
                    if not session.is_over:
                        segment = await interaction.turn(result.observation.text)
        finally:
            await session.close()
        if session.total is None:
            # An error, and not a reward of 0: verifiers leaves such a rollout out of training.
            raise vf.SandboxError("the sandbox of the episode was lost")
        interaction.trace.record_reward(REWARD, session.total)
        for name, value in session.metrics.items():
            interaction.trace.record_metric(name, value)


__all__ = ["MLEEnvironment", "MLETaskset"]
