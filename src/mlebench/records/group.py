"""`metadata.json`: the plan of a group, written once and protected by a hash."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from mlebench.errors import UsageError
from mlebench.records.codec import RecordFormat, read_bytes, to_json
from mlebench.records.run import Number, Provenance

SCHEMA = 1


class GrantedLimits(msgspec.Struct, frozen=True):
    """What every run of a group may use; none means unlimited."""

    cpus: Number | None = None
    memory_bytes: int | None = None
    processes: int | None = None
    disk_bytes: int | None = None
    shm_bytes: int | None = None
    gpus: int = 0


class Settings(msgspec.Struct, frozen=True):
    """How the runs of a group are run; differences make runs incomparable."""

    sandbox: str
    hours: Number
    profile: str = "local"
    limits: GrantedLimits = GrantedLimits()
    is_obfuscated: bool = False
    obfuscation: str = ""
    """`L1`, `L2` or `L3`; empty for L0 and in groups of versions without levels."""

    is_rehearsal: bool = False
    require_limits: bool = False
    """Whether a run starts only if the kernel enforces every limit."""

    revision: str = "v1"
    network: str = "none"
    model: str | None = None
    budget: dict[str, Any] = msgspec.field(default_factory=dict)
    parameters: dict[str, Any] = msgspec.field(default_factory=dict)
    """Passed to the agent; only the agent interprets them."""

    gateway: dict[str, Any] = msgspec.field(default_factory=dict)
    """The gateway's settings; only the name of the key's variable, not the key."""

    image: str | None = None
    """Container sandboxes: instead of the agent's own image."""

    runtime: str | None = None
    """Container sandboxes: the engine's runtime."""

    @property
    def obfuscation_level(self) -> str:
        """`L0` original, `L1` text, `L2` names of files and columns as well, `L3` rows and ids."""
        return self.obfuscation or ("L1" if self.is_obfuscated else "L0")


class PlannedRun(msgspec.Struct, frozen=True):
    """One run of the plan."""

    run_id: str
    competition_id: str
    seed: int


class Launch(msgspec.Struct, frozen=True):
    """How a group was started, so that `resume` needs no option; nothing of it affects results."""

    agent_folder: str | None = None
    """Inside the group's folder: the agent as it was when the group was planned."""

    data_dir: str | None = None
    competitions_dirs: tuple[str, ...] = ()
    jobs: int = 1
    executor: str = "local"
    ray_address: str | None = None
    notify: str | None = None
    """The address of a webhook that receives the progress of the group."""

    notify_command: str | None = None
    """A command that gets the same JSON on its standard input."""

    slurm: dict[str, str] = msgspec.field(default_factory=dict)
    """Options of sbatch."""


class Deviation(msgspec.Struct, frozen=True):
    """One respect in which runs differ from a protocol."""

    name: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.name}: {self.found} instead of {self.expected}"


class GroupRecord(msgspec.Struct, frozen=True):
    """The plan of a group."""

    group: str
    created_at: str
    agent: str
    agent_version: str
    agent_digest: str
    settings: Settings
    runs: tuple[PlannedRun, ...]
    provenance: Provenance = Provenance()
    label: str = ""
    """How the user calls the agent in reports; empty for the agent's own name."""

    launch: Launch = Launch()
    enforced: dict[str, str] = msgspec.field(default_factory=dict)
    """How the planning machine enforces each limit: `kernel`, `polled` or `not`."""

    protocol: str = ""
    """The protocol that the user selected; empty if none was."""

    deviations: tuple[Deviation, ...] = ()
    """How the plan differs from that protocol."""

    plan_hash: str = ""
    schema: int = SCHEMA

    @property
    def agent_label(self) -> str:
        return self.label or self.agent


_GROUP = RecordFormat(GroupRecord, SCHEMA)
read_group, decode_group = _GROUP.read, _GROUP.decode


def read_unchanged_group(path: Path) -> GroupRecord:
    """The stored plan, for executing it; raises UsageError if it was edited."""
    data = read_bytes(path)
    record = _GROUP.decode(data, path)
    # Over the stored fields: those that a later version adds are not part of the plan.
    if _hash(msgspec.json.decode(data)) != record.plan_hash:
        raise UsageError(f"the plan in {path} was changed after it was made")
    return record


def write_group(record: GroupRecord, path: Path) -> GroupRecord:
    """Write a plan; returns it with its hash."""
    record = with_hash(record)
    _GROUP.write(record, path)
    return record


def with_hash(record: GroupRecord) -> GroupRecord:
    """The plan with a hash over what must not change between planning and resuming."""
    return msgspec.structs.replace(record, plan_hash=_hash(to_json(record)))


def _hash(stored: dict[str, Any]) -> str:
    facts = {
        "agent": [stored[name] for name in ("agent", "agent_version", "agent_digest")],
        "settings": stored["settings"],
        "runs": stored["runs"],
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
