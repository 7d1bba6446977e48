"""What to run: a group is planned once, written to disk, and only then executed."""

from __future__ import annotations

import os
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from msgspec import structs

from mlebench.agents.base import AgentPackage, load_agent
from mlebench.errors import UsageError
from mlebench.protocols import AsRun, find_deviations, get_protocol
from mlebench.records.codec import encode
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.group import (
    Deviation,
    GroupRecord,
    Launch,
    PlannedRun,
    Settings,
    read_unchanged_group,
    write_group,
)
from mlebench.records.run import RunRecord
from mlebench.runner.limits import find_enforcement
from mlebench.runner.provenance import describe_machine


@dataclass(frozen=True)
class PlannedGroup(GroupFolder):
    """A group folder with its plan, which a command reads and checks once and then passes on."""

    plan: GroupRecord


def plan_group(
    agent: AgentPackage,
    competition_ids: Sequence[str],
    *,
    seeds: int,
    settings: Settings,
    runs_dir: Path,
    label: str = "",
    launch: Launch | None = None,
    enforced: dict[str, str] | None = None,
    protocol: str = "",
) -> PlannedGroup:
    """Write a new group: its metadata, a copy of the agent, a folder for every `planned` run."""
    now = datetime.now(UTC)
    # Before there is a folder: the runs folder may be inside the agent's own.
    digest = agent.digest()
    folder = _new_folder(runs_dir, f"{now:%Y-%m-%dT%H-%M-%S-GMT}_run-group_{agent.name}")
    copied = agent.copy_to(folder.agent)
    record = GroupRecord(
        group=folder.path.name,
        created_at=now.isoformat(timespec="seconds"),
        agent=agent.name,
        agent_version=agent.version,
        agent_digest=digest,
        settings=settings,
        enforced=enforced or {},
        runs=tuple(
            PlannedRun(f"{competition_id}_{uuid.uuid4()}", competition_id, seed)
            for seed in range(seeds)
            for competition_id in competition_ids
        ),
        provenance=structs.replace(describe_machine(), revision=settings.revision),
        label=label,
        protocol=protocol,
        launch=structs.replace(
            launch or Launch(), agent_folder=str(copied.relative_to(folder.path))
        ),
    )
    if protocol:
        deviations = find_deviations(get_protocol(protocol), as_planned(record))
        record = structs.replace(record, deviations=deviations)
    for run in record.runs:
        _write_planned(record, run, folder)
    # Once for all records, before the plan that names them.
    os.sync()
    return PlannedGroup(folder.path, write_group(record, folder.metadata))


def as_planned(plan: GroupRecord) -> AsRun:
    """What a plan promises; of other machines than this one nothing is known yet."""
    is_here = plan.launch.executor == "local"
    return AsRun(
        seeds=Counter(run.competition_id for run in plan.runs),
        settings=plan.settings,
        machines=(plan.provenance,) if is_here else (),
        enforced=plan.enforced,
    )


def planned_deviations(
    protocol: str, settings: Settings, *, seeds: Mapping[str, int], is_local: bool
) -> tuple[Deviation, ...]:
    """How runs will deviate from a protocol, as far as it is known before they are planned."""
    machine = structs.replace(describe_machine(), revision=settings.revision)
    run = AsRun(
        seeds=seeds,
        settings=settings,
        machines=(machine,) if is_local else (),
        enforced=find_enforcement(settings),
    )
    return find_deviations(get_protocol(protocol), run)


def planned_agent(group: PlannedGroup) -> AgentPackage | None:
    """The agent as it was copied when the group was planned; None in groups of version 0.1."""
    folder = group.plan.launch.agent_folder
    return load_agent(group.path / folder, is_copy=True) if folder else None


def open_group(folder: GroupFolder) -> PlannedGroup:
    """A group that exists, with its plan; UsageError where the plan was edited."""
    return PlannedGroup(folder.path, read_unchanged_group(folder.metadata))


def _new_folder(runs_dir: Path, name: str) -> GroupFolder:
    """A new folder; two groups started in the same second get different names."""
    path = runs_dir / name
    try:
        runs_dir.mkdir(parents=True, exist_ok=True)
        for number in count(2):
            try:
                path.mkdir(mode=0o700)
                break
            except FileExistsError:
                path = runs_dir / f"{name}-{number}"
    except OSError as error:
        raise UsageError(
            f"the runs folder {runs_dir} cannot be written: {error.strerror}",
            hint="choose another one with --runs-dir",
        ) from None
    return GroupFolder(path)


def _write_planned(group: GroupRecord, run: PlannedRun, folder: GroupFolder) -> None:
    """A run needs no more than its record until it starts; there may be ten thousand."""
    home = folder.run(run.run_id)
    home.path.mkdir(mode=0o700)
    record = RunRecord(
        run_id=run.run_id,
        group=group.group,
        competition_id=run.competition_id,
        agent=group.agent,
        seed=run.seed,
        state="planned",
        created_at=group.created_at,
    )
    # Nobody reads it before the plan exists, so it need not appear in one step.
    home.state.write_bytes(encode(record))


def make_run_folders(run: RunFolder) -> None:
    """The agent's folders and the host's, private to the operator."""
    for folder in (run.path, run.host, run.submission, run.logs, run.code, run.agent):
        folder.mkdir(mode=0o700, exist_ok=True)


def require_same_agent(record: GroupRecord, agent: AgentPackage) -> None:
    """Refuse to continue with another version of the agent."""
    for name, planned, found in (
        ("name", record.agent, agent.name),
        ("version", record.agent_version, agent.version),
        ("files", record.agent_digest, agent.digest()),
    ):
        if planned != found:
            raise UsageError(
                f"the agent's {name} changed since {record.group} was planned:"
                f" {planned!r} then, {found!r} now; start a new group"
            )
