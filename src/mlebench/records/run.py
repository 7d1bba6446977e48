"""`run.json`: the state of one run, replaced at each step."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from mlebench.records.codec import RecordFormat

SCHEMA = 1
State = Literal[
    "planned", "starting", "running", "collecting", "grading", "finished", "failed", "cancelled"
]
"""`finished`: graded, whatever the score; `failed`: not gradable, and the agent is not to blame."""

FINAL: tuple[State, ...] = ("finished", "failed", "cancelled")
ACTIVE: tuple[State, ...] = ("starting", "running", "collecting", "grading")
"""A worker executes the run, unless it died."""
Blame = Literal["agent", "infrastructure", "timeout", "budget"]
Number = int | float
"""A number that keeps its type, so that a file is written as it was read."""


class LimitUsage(msgspec.Struct, frozen=True):
    """One limit as it was granted, used and enforced."""

    granted: Number | None = None
    used: Number | None = None
    enforced: str | None = None


class ModelTotals(msgspec.Struct, frozen=True):
    """Totals of the model calls of a run."""

    name: str = ""
    calls: int = 0
    answered: int = 0
    failed: int = 0
    aborted: int = 0
    refused: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    unknown_tokens: int = 0
    """Counted for calls without a reported usage: their worst case."""

    cost: Number | None = None
    """In dollars; none if the model's price is unknown."""

    waited_seconds: Number = 0.0
    seconds: Number = 0.0
    budget_spent: bool = False
    outage: str | None = None
    """Why the run had no model at its end, if gateway or provider are to blame."""

    is_replay: bool = False
    replay_difference: str | None = None
    """The first request that a recording had no answer for."""

    @property
    def tokens(self) -> int:
        """All tokens, including those booked for calls without an answer."""
        return self.input_tokens + self.output_tokens + self.unknown_tokens


class SealedSubmission(msgspec.Struct, frozen=True):
    """The copy of the submission that was taken when the agent had ended."""

    exists: bool = False
    sha256: str | None = None
    size: int | None = None
    problem: str | None = None
    """Why there is a file but no copy."""


class LostAttempt(msgspec.Struct, frozen=True):
    """An attempt that did not count."""

    attempt: int
    kind: str
    """`machine`, `harness` (it was killed) or `resumed`."""

    reason: str | None = None
    started_at: str | None = None


class AgentStart(msgspec.Struct, frozen=True):
    """One start of the agent in an attempt; there are several if the agent ended early."""

    started_at: str = ""
    seconds: Number = 0.0
    ended_by: str = ""
    exit_code: int | None = None
    calls: int = 0
    """Calls of the model, as far as they were counted."""


class Provenance(msgspec.Struct, frozen=True):
    """Where a result comes from: versions, hardware, data."""

    mlebench: str | None = None
    revision: str | None = None
    python: str | None = None
    kernel: str | None = None
    machine: str | None = None
    cpus: int | None = None
    cpu_model: str | None = None
    memory_bytes: int | None = None
    gpus: tuple[str, ...] = ()
    manifest_sha256: str | None = None
    """Of the prepared data; only runs have it."""


class RunRecord(msgspec.Struct, frozen=True):
    """One agent, one competition, one seed: state and result."""

    run_id: str
    group: str
    competition_id: str
    agent: str
    seed: int
    state: State
    attempt: int = 0
    """The number of the current attempt; results of earlier attempts never count."""

    fence: int = 0
    """The token of the worker that has the run; a worker with another one writes nothing."""

    created_at: str = ""
    started_at: str | None = None
    ended_at: str | None = None
    seconds: Number | None = None
    """Wall time of the agent, from a monotonic clock."""

    blame: Blame | None = None
    reason: str | None = None
    """Why it ended, or what it waits for, in one sentence."""

    sandbox: dict[str, Any] = msgspec.field(default_factory=dict)
    """`name`, `isolation`, `network` and other facts of this kind of sandbox."""

    usage: dict[str, LimitUsage] = msgspec.field(default_factory=dict)
    leftovers: dict[str, Any] = msgspec.field(default_factory=dict)
    """What this kind of sandbox needs to kill its processes or containers after a crash."""

    validations: int = 0
    model: ModelTotals | None = None
    """None for a run without a model."""

    submission: SealedSubmission = SealedSubmission()
    """Filled in when the agent has ended."""

    score: Number | None = None
    medal: str | None = None
    attempts: tuple[LostAttempt, ...] = ()
    starts: tuple[AgentStart, ...] = ()
    """The starts of the attempt that counts."""

    provenance: Provenance = Provenance()
    schema: int = SCHEMA

    @property
    def is_final(self) -> bool:
        return self.state in FINAL

    def __post_init__(self) -> None:
        # Version 0.1 wrote `{}` for a run without a model.
        if self.model is not None and not self.model.name:
            msgspec.structs.force_setattr(self, "model", None)


_RUN = RecordFormat(RunRecord, SCHEMA)
read_run, decode_run, write_run = _RUN.read, _RUN.decode, _RUN.write
