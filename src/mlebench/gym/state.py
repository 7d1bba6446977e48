"""The state of an episode between reset and end: what actions do, rewards, limits, the log."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from mlebench.errors import SandboxError
from mlebench.grading.grade import submission_limits
from mlebench.gym.actions import Info, Read, Run, Submit, Validate, Write
from mlebench.gym.files import SUBMISSION, PathRefused
from mlebench.gym.limits import EpisodeClock
from mlebench.gym.observation import (
    MAX_TEXT_BYTES,
    Observation,
    Status,
    Validation,
    clip,
    time_left,
)
from mlebench.gym.rewards import RewardCounter
from mlebench.gym.texts import TOPICS, task_text
from mlebench.gym.workspace import EpisodeProgram, Ran, Workspace, WorkspaceLost
from mlebench.records.episode import (
    EndEntry,
    EndReason,
    EpisodeBlame,
    EpisodeWriter,
    ResetEntry,
    StepEntry,
    hash_observation,
    now,
)
from mlebench.records.ledger import Grading, append_entry
from mlebench.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from mlebench.gym.limits import EpisodeLimits
    from mlebench.gym.rewards import Reward
    from mlebench.gym.services import Services
    from mlebench.gym.tasks import GymTask

WALL_FACTOR = 4
"""With the virtual clock, the real time of a run may be this many times its processor time."""

MAX_HISTORY = 100
RUN_NOTES: dict[str, tuple[Status, str]] = {
    "time": ("timeout", "the time of this run was over"),
    "memory": ("memory", "it needed more memory than granted"),
    "processes": ("failed", "it started more processes than granted"),
    "disk": ("failed", "it wrote more than granted"),
}


class StepResult(NamedTuple):
    """What `step` returns, in Gymnasium's order."""

    observation: Observation
    reward: float | None
    """None if the episode was lost through no fault of the policy: there is nothing to learn."""

    terminated: bool
    truncated: bool
    info: dict[str, Any]


@dataclass(frozen=True)
class StateSettings:
    """The settings of an episode."""

    task: GymTask
    limits: EpisodeLimits
    reward: Reward
    seed: int
    logs: Path | None


class ActionResult(NamedTuple):
    """The result of an action before limits are checked."""

    text: str | bytes
    status: Status = "ok"
    reward: float = 0.0


class EpisodeState:
    """An attempt from reset to end; `Episode` has the workspace."""

    def __init__(self, settings: StateSettings, services: Services) -> None:
        self.settings = settings
        self.services = services
        self.id = uuid.uuid4().hex
        self.clock = EpisodeClock(settings.limits)
        self.rewards = RewardCounter(settings.reward)
        self.scoring = services.scoring.of(settings.task)
        self.steps = 0
        self.validation: Validation = "unknown"
        self.ended: EndReason | None = None
        self.blame: EpisodeBlame | None = None
        self.score: float | None = None
        self._detail = ""
        self._history: list[str] = []
        self._graded: str | None = None
        self._processor_seconds = 0.0
        self._step_processor_seconds = 0.0
        self._started = time.monotonic()
        self._log: EpisodeWriter | None = None

    def begin(self, sandbox: str) -> Observation:
        """The first observation; opens the log."""
        settings, task = self.settings, self.settings.task
        text = task_text("overview", task.competition, settings.limits) or ""
        observation = Observation(clip(text))
        if settings.logs is not None:
            self._log = EpisodeWriter(settings.logs / f"{task.id}_{self.id}.jsonl")
            self._log.write(
                ResetEntry(
                    episode=self.id,
                    competition_id=task.id,
                    revision=task.competition.revision,
                    split=task.split,
                    reward=settings.reward.label,
                    seed=settings.seed,
                    limits=dict(vars(settings.limits)),
                    text=observation.text,
                    sandbox=sandbox,
                    time=now(),
                    version=__version__,
                )
            )
        return observation

    @property
    def measurements(self) -> dict[str, Any]:
        """What differs between repetitions."""
        return {
            "episode": self.id,
            "seconds": time.monotonic() - self._started,
            "processor_seconds": self._processor_seconds,
            "seconds_left": self.clock.left,
            "log": self._log and str(self._log.path),
            "total_reward": self.rewards.total,
            "score": self.score,
        }

    async def act(self, action: object, workspace: Workspace) -> ActionResult:
        """The effect of an action; a lost sandbox ends the episode."""
        try:
            if isinstance(action, Info):
                return self._info(action)
            if isinstance(action, Run):
                return await self._run(action, workspace)
            if isinstance(action, Write):
                workspace.write(action.path, action.text.encode("utf-8", "replace"))
                return ActionResult(f"wrote {len(action.text):,} characters")
            if isinstance(action, Read):
                return _read(action, workspace)
            if isinstance(action, Validate):
                return await self._validate(workspace)
            if isinstance(action, Submit):
                return await self._submit(workspace)
        except PathRefused as error:
            return ActionResult(str(error), "refused")
        except SandboxError as error:
            return self.lose(error)
        raise AssertionError(f"{action!r} is not an action")

    def lose(self, error: SandboxError) -> ActionResult:
        """End the episode without its sandbox."""
        self.blame = error.blame if isinstance(error, WorkspaceLost) else "infrastructure"
        self.ended, self._detail = "lost", str(error)
        if self.blame == "policy":
            return ActionResult("the sandbox ended with its last program", "failed")
        return ActionResult("the sandbox was lost, through no fault of yours", "lost")

    def _info(self, action: Info) -> ActionResult:
        if action.topic == "history":
            return ActionResult("\n".join(self._history) or "nothing yet")
        text = task_text(action.topic, self.settings.task.competition, self.settings.limits)
        if text is None:
            known = ", ".join(TOPICS)
            return ActionResult(f"unknown topic {action.topic[:80]!r}; expected {known}", "refused")
        return ActionResult(text)

    async def _run(self, action: Run, workspace: Workspace) -> ActionResult:
        limits = self.settings.limits
        seconds = min(action.seconds or limits.run_seconds, limits.run_seconds, self.clock.left)
        is_virtual = limits.clock == "virtual"
        ran = await workspace.run(
            EpisodeProgram(
                action.code,
                action.command,
                seconds * WALL_FACTOR if is_virtual else seconds,
                processor_seconds=seconds if is_virtual else None,
                seed=self.settings.seed,
            )
        )
        self.clock.charge(ran.processor_seconds)
        self._step_processor_seconds = ran.processor_seconds
        result = _describe(ran)
        if self.settings.reward.is_dense and not action.is_trial and not self._is_evaluation:
            return result._replace(reward=await self._grade_run(workspace))
        return result

    async def _grade_run(self, workspace: Workspace) -> float:
        """The reward of the submission that a run left, if it is a new one."""
        try:
            with self._sealed(workspace) as file, open(file, "rb", closefd=False) as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
                if digest == self._graded:
                    return 0.0
                self._graded = digest
                reply = await self.scoring.grade(file, self.settings.reward.graded_as)
        except PathRefused:
            return 0.0
        reward = self.rewards.first_valid(reply.is_valid)
        return reward + (self.rewards.graded(reply.value) if reply.is_valid else 0.0)

    async def _validate(self, workspace: Workspace) -> ActionResult:
        with self._sealed(workspace) as file:
            reply = await self.scoring.validate(file)
        self.validation = "valid" if reply.is_valid else "invalid"
        reward = 0.0 if self._is_evaluation else self.rewards.first_valid(reply.is_valid)
        return ActionResult(reply.text, "ok", reward)

    async def _submit(self, workspace: Workspace) -> ActionResult:
        """Grade the submission and end the episode."""
        name = self.settings.reward.graded_as
        try:
            with self._sealed(workspace) as file:
                verdict, reply = await asyncio.gather(
                    self.scoring.validate(file), self.scoring.grade(file, name)
                )
        except PathRefused as error:
            self.ended, self.validation = "submitted", "invalid"
            self._record_grading(None, False, None)
            return ActionResult(f"nothing valid was submitted: {error}", "submitted")
        self.ended = "submitted"
        self.validation = "valid" if verdict.is_valid else "invalid"
        self.score = reply.score
        self._record_grading(reply.score, reply.is_valid, reply.sha256)
        reward = self.rewards.first_valid(reply.is_valid) + self.rewards.graded(reply.value)
        return ActionResult(verdict.text, "submitted", reward)

    def _record_grading(self, score: float | None, valid: bool, sha256: str | None) -> None:
        """An evaluation leaves an entry in the ledger of its folder."""
        logs = self.settings.logs
        if self._is_evaluation and logs is not None:
            entry = Grading(
                run_id=self.id,
                competition_id=self.settings.task.id,
                attempt=1,
                score=score,
                valid=valid,
                submission_sha256=sha256,
            )
            append_entry(logs / "ledger.jsonl", entry)

    @property
    def _is_evaluation(self) -> bool:
        return self.settings.task.split == "test"

    @contextmanager
    def _sealed(self, workspace: Workspace) -> Iterator[int]:
        """A sealed copy of the submission; raises PathRefused if there is none."""
        limits = submission_limits(self.settings.task.competition)
        file = workspace.seal(SUBMISSION, limits.max_bytes)
        try:
            yield file
        finally:
            os.close(file)

    def finish_step(
        self, action: dict[str, Any], result: ActionResult, started: float
    ) -> StepResult:
        """Count the step, check the limits, write the log."""
        self.steps += 1
        if self.ended is None and self.clock.left <= 0:
            self.ended = "time"
        if self.ended is None and self.steps >= self.settings.limits.steps:
            self.ended = "steps"
        is_lost = self.blame == "infrastructure"
        reward = None if is_lost else result.reward
        text = result.text
        if self.settings.reward.is_shown and reward is not None:
            text = f"{clip(text, MAX_TEXT_BYTES - 100)}\n[reward {reward:.3f}]"
        observation = Observation(
            clip(text),
            result.status,
            self.steps,
            time_left(self.clock.left / self.settings.limits.seconds),
            self.validation,
        )
        terminated = self.ended == "submitted" or self.blame == "policy"
        truncated = self.ended is not None and not terminated
        info = {"end": self.ended, "blame": self.blame, "reward": self.settings.reward.label}
        taken = StepResult(observation, reward, terminated, truncated, info)
        self._history.append(f"{self.steps}. {action['kind']}: {observation.status}")
        del self._history[:-MAX_HISTORY]
        self._write_step(action, taken, started)
        if self.ended is not None:
            self.end(self.ended)
        return taken

    def _write_step(self, action: dict[str, Any], taken: StepResult, started: float) -> None:
        self._processor_seconds += self._step_processor_seconds
        if self._log is not None:
            clock = time.monotonic()
            self._log.write(
                StepEntry(
                    **msgspec.structs.asdict(taken.observation),
                    action=action,
                    reward=taken.reward or 0.0,
                    observation_sha256=hash_observation(
                        *msgspec.structs.astuple(taken.observation)
                    ),
                    terminated=taken.terminated,
                    truncated=taken.truncated,
                    seconds=round(clock - started, 6),
                    processor_seconds=self._step_processor_seconds,
                    elapsed=round(clock - self._started, 6),
                )
            )
        self._step_processor_seconds = 0.0

    def end(self, reason: EndReason) -> None:
        """Write the last line of the log; later calls have no effect."""
        self.ended = self.ended or reason
        log, self._log = self._log, None
        if log is not None:
            log.write(
                EndEntry(
                    reason=self.ended,
                    steps=self.steps,
                    total_reward=round(self.rewards.total, 9),
                    blame=self.blame,
                    detail=self._detail,
                    score=self.score,
                    seconds=round(time.monotonic() - self._started, 6),
                    processor_seconds=round(self._processor_seconds, 6),
                    time=now(),
                )
            )
            log.close()


def _read(action: Read, workspace: Workspace) -> ActionResult:
    most = MAX_TEXT_BYTES - 100
    data, size = workspace.read(action.path, action.start, min(action.count or most, most))
    left = size - action.start - len(data)
    note = f"\n[{left:,} more bytes]".encode() if left > 0 else b""
    return ActionResult(data + note)


def _describe(ran: Ran) -> ActionResult:
    """The output of a run, and how it ended."""
    if ran.ended_by == "exit":
        note = f"[exit code {ran.exit_code}]" if ran.exit_code else ""
        status: Status = "failed" if ran.exit_code else "ok"
    else:
        status, text = RUN_NOTES[ran.ended_by]
        note = f"[{text}]"
    output = clip(ran.output, MAX_TEXT_BYTES - 200)
    separator = "\n" if note and output and not output.endswith("\n") else ""
    return ActionResult(output + separator + note, status)
