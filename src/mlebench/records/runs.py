"""What `run.json` and `metadata.json` hold, and how they are written: whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from mlebench.errors import DataError
from mlebench.system.files import sync_folder

SCHEMA = 1

State = Literal[
    "planned", "starting", "running", "collecting", "grading", "finished", "failed", "cancelled"
]
"""`finished`: graded, whatever the score; `failed`: no grading is possible for a cause outside."""

Blame = Literal["agent", "infrastructure", "timeout", "budget"]


@dataclass(frozen=True)
class Settings:
    """How the runs of a group are run; differences make runs incomparable."""

    sandbox: str
    hours: float
    profile: str = "local"
    limits: Mapping[str, Any] = field(default_factory=dict)
    is_obfuscated: bool = False
    is_rehearsal: bool = False
    revision: str = "v1"
    network: str = "none"
    model: str | None = None
    budget: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    gateway: Mapping[str, Any] = field(default_factory=dict)
    """The gateway's settings; of the key it holds the variable's name only."""

    image: str | None = None
    """Container sandboxes: instead of the agent's own image."""

    runtime: str | None = None
    """Container sandboxes: the engine's runtime."""


@dataclass(frozen=True)
class PlannedRun:
    """One line of the plan."""

    run_id: str
    competition_id: str
    seed: int


@dataclass(frozen=True)
class GroupRecord:
    """`metadata.json`: the plan of a group, written once."""

    group: str
    created_at: str
    agent: str
    agent_version: str
    agent_digest: str
    settings: Settings
    runs: tuple[PlannedRun, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    """Package version, revision, hardware, host's software."""

    plan_hash: str = ""
    schema: int = SCHEMA


@dataclass(frozen=True)
class RunRecord:
    """`run.json`: where a run stands, written anew at each step."""

    run_id: str
    group: str
    competition_id: str
    agent: str
    seed: int
    state: State
    attempt: int = 0
    """Counts starts; results of a stale attempt never count."""

    created_at: str = ""
    started_at: str | None = None
    ended_at: str | None = None
    seconds: float | None = None
    """Wall time of the agent, from a monotonic clock."""

    blame: Blame | None = None
    reason: str | None = None
    """One sentence on why it ended, where there is something to say."""

    sandbox: Mapping[str, Any] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)
    """For each limit: granted, used, enforced."""

    leftovers: Mapping[str, Any] = field(default_factory=dict)
    """Facts to find processes or containers after a crash."""

    validations: int = 0
    model: Mapping[str, Any] = field(default_factory=dict)
    """Calls, tokens, cost."""

    submission: Mapping[str, Any] = field(default_factory=dict)
    """`exists`, `sha256`, `size`, `problem`."""

    score: float | None = None
    medal: str | None = None
    attempts: tuple[Mapping[str, Any], ...] = ()
    """Earlier attempts and why they did not count."""

    provenance: Mapping[str, Any] = field(default_factory=dict)
    """Versions, data manifest hash, hardware."""

    schema: int = SCHEMA


NUMBER, TEXT = float | int, str
GROUP_KINDS = {
    TEXT: ("group", "created_at", "agent", "agent_version", "agent_digest", "plan_hash"),
    dict: ("provenance",),
}
SETTINGS_KINDS = {
    TEXT: ("sandbox", "profile", "revision", "network"),
    NUMBER: ("hours",),
    dict: ("limits", "budget", "parameters", "gateway"),
    TEXT | None: ("model", "image", "runtime"),
}
PLANNED_KINDS = {TEXT: ("run_id", "competition_id"), int: ("seed",)}
RUN_KINDS = {
    TEXT: ("run_id", "group", "competition_id", "agent", "state", "created_at"),
    int: ("seed", "attempt", "validations"),
    NUMBER | None: ("seconds", "score"),
    TEXT | None: ("started_at", "ended_at", "blame", "reason", "medal"),
    dict: ("sandbox", "usage", "leftovers", "model", "submission", "provenance"),
}


Record = TypeVar("Record", GroupRecord, RunRecord)


def write_record(record: GroupRecord | RunRecord, path: Path) -> None:
    """Write, sync, rename, sync the folder: a crash leaves the old or the new file whole."""
    text = json.dumps(asdict(record), indent=1, allow_nan=False)
    temporary = path.with_name(f".{path.name}.part")
    with temporary.open("w", encoding="utf-8") as stream:
        stream.write(text + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    temporary.rename(path)
    sync_folder(path.parent)


def read_group(path: Path) -> GroupRecord:
    data = _read(path)
    try:
        settings = Settings(**_known(Settings, data.get("settings", {})))
        runs = tuple(PlannedRun(**run) for run in data.get("runs", ()))
    except (TypeError, AttributeError) as error:
        raise DataError(f"{path} is damaged: {error}") from None
    group = _made(GroupRecord, data | {"settings": settings, "runs": runs}, path)
    _require_kinds(group, GROUP_KINDS, path)
    _require_kinds(settings, SETTINGS_KINDS, path)
    for run in runs:
        _require_kinds(run, PLANNED_KINDS, path)
    return group


def read_run(path: Path) -> RunRecord:
    data = _read(path)
    attempts = data.get("attempts", [])
    if not isinstance(attempts, list) or not all(isinstance(lost, dict) for lost in attempts):
        raise DataError(f"{path} is damaged: attempts is no list of objects")
    run = _made(RunRecord, data | {"attempts": tuple(attempts)}, path)
    _require_kinds(run, RUN_KINDS, path)
    return run


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def parse_json(data: bytes) -> Any:
    """JSON as it is written here: UTF-8, without NaN and Infinity."""
    return _DECODER.decode(data.decode("utf-8"))


def _read(path: Path) -> dict[str, Any]:
    try:
        data = parse_json(path.read_bytes())
    except FileNotFoundError:
        raise DataError(f"{path} does not exist") from None
    except (ValueError, OSError, RecursionError) as error:
        raise DataError(f"{path} is damaged: {error}") from None
    if not isinstance(data, dict):
        raise DataError(f"{path} is damaged: expected an object")
    schema = data.get("schema", 0)
    if not isinstance(schema, int):
        raise DataError(f"{path} is damaged: schema is no number")
    if schema > SCHEMA:
        raise DataError(f"{path} was written by a newer mlebench (schema {data['schema']})")
    return data


def _require_kinds(record: Any, kinds: Mapping[Any, tuple[str, ...]], path: Path) -> None:
    """JSON may hold anything anywhere; what is of another kind is damage, not a fault of ours."""
    values = record.__dict__
    for kind, names in kinds.items():
        for name in names:
            if not isinstance(values[name], kind):
                found = type(values[name]).__name__
                raise DataError(f"{path} is damaged: {name} is of kind {found}")


def _known(cls: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    names = cls.__dataclass_fields__
    return {name: value for name, value in data.items() if name in names}


def _made(cls: type[Record], data: Mapping[str, Any], path: Path) -> Record:
    try:
        return cls(**_known(cls, data))
    except TypeError as error:
        raise DataError(f"{path} is damaged: {error}") from None
