"""TRL: an environment for `GRPOTrainer(environment_factory=...)`.

    GRPOTrainer(..., environment_factory=EnvironmentFactory(competition="starter-wine"))

The public methods are the tools. A row of the data set may name `competition` and `seed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlebench.gym.adapters.session import SessionSettings, TextSession
from mlebench.gym.background import run_in_background


class MLEEnv:
    """One instance per rollout."""

    def __init__(self, settings: SessionSettings) -> None:
        self._session = TextSession(settings)

    def reset(
        self, competition: str | None = None, seed: int | None = None, **row: object
    ) -> str | None:
        """Begin an episode; other columns of the row are not used."""
        return run_in_background(self._session.start(seed=seed, competition=competition))

    def info(self, topic: str) -> str:
        """
        Read about the task.

        Args:
            topic: One of overview, description, data, sample_submission, limits, history.

        Returns:
            The text of the topic.
        """
        return self._act({"kind": "info", "topic": topic})

    def read_file(self, path: str) -> str:
        """
        Read the first bytes of a file.

        Args:
            path: Path of the file, for example /home/data/train.csv.

        Returns:
            The content.
        """
        return self._act({"kind": "read", "path": path})

    def write_file(self, path: str, text: str) -> str:
        """
        Replace a file.

        Args:
            path: Path of the file below /home/agent, /home/code or /home/submission.
            text: The new content.

        Returns:
            What happened.
        """
        return self._act({"kind": "write", "path": path, "text": text})

    def run_code(self, code: str) -> str:
        """
        Run a Python program in the sandbox.

        Args:
            code: The program. It may write /home/submission/submission.csv.

        Returns:
            Its output.
        """
        return self._act({"kind": "run", "code": code})

    def validate(self) -> str:
        """
        Check the format of /home/submission/submission.csv.

        Returns:
            Whether it is valid, and why not.
        """
        return self._act({"kind": "validate"})

    def submit(self) -> str:
        """
        Hand in /home/submission/submission.csv, which ends the episode.

        Returns:
            Whether it was valid.
        """
        return self._act({"kind": "submit"})

    def get_reward(self) -> float | None:
        """The reward of the rollout; None, which TRL masks, if the machine failed."""
        return self._session.total

    def _act(self, action: Mapping[str, Any]) -> str:
        if self._session.is_over:
            return "the episode is over"
        return run_in_background(self._session.act(action)).observation.text


class EnvironmentFactory:
    """Makes environments; can be pickled, as asynchronous trainers need."""

    def __init__(self, **settings: Any) -> None:
        self.settings = SessionSettings(**settings)

    def __call__(self) -> MLEEnv:
        return MLEEnv(self.settings)
