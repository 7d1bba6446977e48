"""`<episode>.jsonl`: one training or evaluation episode, one JSON object per line.

    reset   once: competition, revision, split, reward, seed, limits
    step    after each action: action, observation, reward, times
    end     once: why it ended, who is to blame, totals

A file without `end` belongs to an episode that is still running, or whose process was killed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from mlebench.errors import DataError
from mlebench.records.codec import LineFormat, read_bytes, require_known
from mlebench.records.run import Number

SCHEMA = 1
EndReason = Literal["submitted", "steps", "time", "closed", "lost"]
"""`submitted` terminates an episode; `steps`, `time` and `lost` truncate it."""

EpisodeBlame = Literal["infrastructure", "policy"]


class ResetEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="reset"):
    """The first line."""

    episode: str
    competition_id: str
    revision: str
    split: str
    reward: str
    """Names with versions, for example `medal@1`."""

    seed: int
    limits: dict[str, Any] = {}
    text: str = ""
    """The first observation."""

    sandbox: str = ""
    time: str = ""
    version: str = ""
    schema: int = SCHEMA


class StepEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="step"):
    """One action and its result."""

    step: int
    action: dict[str, Any]
    text: str
    status: str
    reward: Number
    observation_sha256: str = ""
    """Of text, status, step, time class and verdict; equal in repetitions of an episode."""

    seconds_left: str = ""
    validation: str = ""
    terminated: bool = False
    truncated: bool = False
    seconds: Number = 0.0
    """Real time of the step."""

    processor_seconds: Number = 0.0
    elapsed: Number = 0.0
    """Since the reset."""


class EndEntry(msgspec.Struct, frozen=True, tag_field="kind", tag="end"):
    """The last line."""

    reason: EndReason
    steps: int
    total_reward: Number
    blame: EpisodeBlame | None = None
    detail: str = ""
    score: Number | None = None
    """Of an evaluation only."""

    seconds: Number = 0.0
    processor_seconds: Number = 0.0
    time: str = ""


EpisodeEntry = ResetEntry | StepEntry | EndEntry
# A union is not a class for the type checker, but msgspec accepts it as one.
EPISODE_LINES: LineFormat[EpisodeEntry] = LineFormat(EpisodeEntry)  # type: ignore[arg-type]


@dataclass(frozen=True)
class EpisodeRecord:
    """A whole file; `end` is missing while the episode is running."""

    reset: ResetEntry
    steps: tuple[StepEntry, ...] = ()
    end: EndEntry | None = None


class EpisodeWriter:
    """Appends entries to a new file, without a buffer: a killed process loses none of them."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._stream: BinaryIO = path.open("xb", buffering=0)

    def write(self, entry: EpisodeEntry) -> None:
        self._stream.write(EPISODE_LINES.encode(entry))

    def close(self) -> None:
        self._stream.close()


def now() -> str:
    """The time for an entry."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def hash_observation(*parts: object) -> str:
    """The hash of the parts of an observation."""
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def read_episode(path: Path) -> EpisodeRecord:
    """A file; an incomplete last line is left out.

    Raises:
        DataError: it does not exist, does not start with `reset`, or has a newer schema.
    """
    return decode_episode(read_bytes(path), path)


def decode_episode(data: bytes, source: Path | str) -> EpisodeRecord:
    """`read_episode` for bytes that the caller has read; `source` names the file in messages."""
    entries = EPISODE_LINES.decode(data)
    reset = next(entries, None)
    if not isinstance(reset, ResetEntry):
        raise DataError(f"{source} is not the log of an episode: its first line is not `reset`")
    require_known(reset.schema, SCHEMA, source)
    rest = list(entries)
    steps = tuple(entry for entry in rest if isinstance(entry, StepEntry))
    end = next((entry for entry in rest if isinstance(entry, EndEntry)), None)
    return EpisodeRecord(reset, steps, end)
