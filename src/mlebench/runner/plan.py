"""What to run: a group is planned once, written to disk, and only then worked on."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

from mlebench.agents.base import AgentPackage
from mlebench.errors import UsageError
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.runs import (
    GroupRecord,
    PlannedRun,
    RunRecord,
    Settings,
    read_group,
    write_record,
)
from mlebench.runner.provenance import describe_machine


def plan_group(
    agent: AgentPackage,
    competition_ids: Sequence[str],
    *,
    seeds: int,
    settings: Settings,
    runs_dir: Path,
) -> GroupFolder:
    """Write a new group: its metadata and a folder for every run, all `planned`."""
    now = datetime.now(UTC)
    folder = _new_folder(runs_dir, f"{now:%Y-%m-%dT%H-%M-%S-GMT}_run-group_{agent.name}")
    runs = tuple(
        PlannedRun(f"{competition_id}_{uuid.uuid4()}", competition_id, seed)
        for seed in range(seeds)
        for competition_id in competition_ids
    )
    record = GroupRecord(
        group=folder.path.name,
        created_at=now.isoformat(timespec="seconds"),
        agent=agent.name,
        agent_version=agent.version,
        agent_digest=agent.digest(),
        settings=settings,
        runs=runs,
        provenance=describe_machine(),
    )
    record = replace(record, plan_hash=plan_hash(record))
    for run in runs:
        _write_planned(record, run, folder)
    write_record(record, folder.metadata)
    return folder


def _new_folder(runs_dir: Path, name: str) -> GroupFolder:
    """A folder that nobody else has; two groups of one second get different names."""
    runs_dir.mkdir(parents=True, exist_ok=True)
    for number in range(1, 1000):
        path = runs_dir / (name if number == 1 else f"{name}-{number}")
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return GroupFolder(path)
    raise UsageError(f"{runs_dir} has too many groups called {name}")


def _write_planned(group: GroupRecord, run: PlannedRun, folder: GroupFolder) -> None:
    home = folder.run(run.run_id)
    make_run_folders(home)
    record = RunRecord(
        run_id=run.run_id,
        group=group.group,
        competition_id=run.competition_id,
        agent=group.agent,
        seed=run.seed,
        state="planned",
        created_at=group.created_at,
    )
    write_record(record, home.state)


def make_run_folders(run: RunFolder) -> None:
    """The agent's folders and the host's, private to the operator."""
    for folder in (run.path, run.host, run.submission, run.logs, run.code, run.agent):
        folder.mkdir(mode=0o700, exist_ok=True)


def plan_hash(group: GroupRecord) -> str:
    """A hash over what must not change between planning and resuming."""
    facts = {
        "agent": [group.agent, group.agent_version, group.agent_digest],
        "settings": asdict(group.settings),
        "runs": [asdict(run) for run in group.runs],
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def open_group(folder: GroupFolder) -> GroupRecord:
    """Read a plan and refuse one that was edited."""
    record = read_group(folder.metadata)
    if plan_hash(record) != record.plan_hash:
        raise UsageError(f"the plan in {folder.metadata} was changed after it was made")
    return record


def require_same_agent(record: GroupRecord, agent: AgentPackage) -> None:
    """Refuse to go on with another version of the agent."""
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
