"""Runs to check, made by hand where no agent has to run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.integrity import registry
from mlebench.integrity.checking import lost_runs
from mlebench.integrity.context import CheckContext
from mlebench.integrity.evidence import Evidence
from mlebench.integrity.sources import RunSource, find_runs
from mlebench.records.canary import CanaryRecord, write_canary
from mlebench.records.folders import GroupFolder
from mlebench.records.group import GroupRecord, PlannedRun, Settings, write_group
from mlebench.records.integrity import IntegrityRecord, summarised
from mlebench.records.run import RunRecord, write_run
from mlebench.runner.plan import make_run_folders

CANARY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
MakeRun = Callable[..., RunSource]


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """A finished run with files, by their names in its folder."""

    def make(
        files: dict[str, str | bytes] | None = None,
        *,
        competition: str = "random-acts-of-pizza",
        group: str = "g",
        agent: str = "a",
        **changes: Any,
    ) -> RunSource:
        folder = GroupFolder(tmp_path / "runs" / group)
        run = folder.run(f"{competition}_1")
        folder.path.mkdir(parents=True, exist_ok=True)
        make_run_folders(run)
        plan = GroupRecord(
            group=group,
            created_at="2026-03-01T08:00:00+00:00",
            agent=agent,
            agent_version="1",
            agent_digest="ab" * 32,
            settings=Settings(sandbox="process", hours=1),
            runs=(PlannedRun(run.path.name, competition, 0),),
        )
        write_group(plan, folder.metadata)
        record = RunRecord(
            run_id=run.path.name,
            group=group,
            competition_id=competition,
            agent=agent,
            seed=0,
            state="finished",
            attempt=1,
            **changes,
        )
        write_run(record, run.state)
        write_canary(CanaryRecord(CANARY), run.canary)
        for name, content in (files or {}).items():
            file = run.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        (source,) = find_runs([run.path])
        return source

    return make


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., IntegrityRecord]:
    """The record of a run, by the deterministic checks in this process."""

    def check(source: RunSource) -> IntegrityRecord:
        competition = Catalogue(tmp_path / "data").get_competition(source.record.competition_id)
        lost = tuple(lost_runs(source))
        found = registry.check(CheckContext(Evidence(source), competition, lost_runs=lost))
        return summarised(
            IntegrityRecord(
                run_id=source.record.run_id,
                competition_id=source.record.competition_id,
                revision=source.revision,
                created_at="",
                tool_version="",
                checks_run=found.run,
                checks_skipped=found.skipped,
                findings=found.findings,
            )
        )

    return check
