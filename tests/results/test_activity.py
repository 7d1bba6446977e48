"""What a run did over its hours, from its own files and from what an agent claims."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from mlebench.records.activity import read_samples
from mlebench.records.folders import RunFolder
from mlebench.records.run import AgentStart, RunRecord
from mlebench.results.activity import read_activity, read_executions, read_spending_over_time
from mlebench.results.attempts import load_attempts
from mlebench.results.plots.hours import hours_plot
from tests.results.made_runs import make_group


@pytest.fixture
def run(tmp_path: Path) -> tuple[RunFolder, RunRecord]:
    group = make_group(tmp_path, "react", ["spaceship-titanic"], outcomes=["gold"], steps=20)
    (attempt,) = load_attempts([group.path])
    assert attempt.folder is not None
    assert attempt.run is not None
    return attempt.folder, attempt.run


def test_all_lanes_are_read(run: tuple[RunFolder, RunRecord]) -> None:
    found = read_activity(*run)
    assert set(found.spans) == {"model calls", "commands"}
    calls = found.spans["model calls"]
    assert len(calls) == 20
    assert [call.step for call in calls] == list(range(20))
    assert sum(call.is_failure for call in calls) == 1
    assert calls[0].seconds == 3.25
    assert set(found.curves) == {"CPUs", "memory", "disk"}
    assert max(value for _, value in found.curves["CPUs"]) < 30
    assert {flag.kind for flag in found.flags} == {"changed", "valid", "invalid"}
    assert found.seconds == run[1].seconds
    assert hours_plot(found).startswith("<svg")


def test_an_agent_that_was_started_again(run: tuple[RunFolder, RunRecord]) -> None:
    """Its samples begin at 0 with each start, 100 s and 400 s after the run's beginning."""
    folder, record = run
    began = datetime.fromisoformat(str(record.started_at))
    starts = [AgentStart((began + timedelta(seconds=s)).isoformat()) for s in (100, 400)]
    record = replace(record, starts=tuple(starts), seconds=30.0)
    samples = [(0, 0), (10, 20), (20, 40), (0, 0), (5, 15)]
    lines = [json.dumps({"seconds": s, "cpu_seconds": c, "memory_bytes": s}) for s, c in samples]
    folder.resources.write_text("".join(f"{line}\n" for line in lines))
    found = read_activity(folder, record)
    memory = [(100.0, 0.0), (110.0, 10.0), (120.0, 20.0), (400.0, 0.0), (405.0, 5.0)]
    assert found.curves["memory"] == memory
    assert found.curves["CPUs"] == [(110.0, 2.0), (120.0, 2.0), (400.0, 0.0), (405.0, 3.0)]
    last = found.spans["model calls"][-1]
    assert found.seconds >= last.start + last.seconds > 30
    assert read_spending_over_time(folder, record)(500)["cpu_hours"] == 55 / 3600
    assert [s.seconds for s in read_samples(folder.resources.read_bytes())] == [0, 10, 20, 20, 25]


def test_steps_of_react_tell_of_programs(run: tuple[RunFolder, RunRecord]) -> None:
    folder, _ = run
    (folder.logs / "tree.json").unlink()
    steps = [
        {"seconds": 60, "messages": [{"role": "tool", "content": "x\n[exit code 0; took 5.0 s]"}]},
        {"seconds": 99, "messages": [{"role": "tool", "content": "[exit code 1; took 9.5 s]"}]},
        {
            "seconds": 200,
            "messages": [{"role": "tool", "content": "[stopped after 90 s; took 90.0 s]"}],
        },
        {"seconds": 300, "messages": [{"role": "tool", "content": "12 characters written"}]},
        {
            "seconds": 300,
            "messages": [{"role": "assistant", "content": "[exit code 1; took 1.0 s]"}],
        },
    ]
    (folder.logs / "steps.jsonl").write_text("\n".join(map(json.dumps, steps)) + '\n{"cut')
    found = read_executions(folder)
    assert [(span.start, span.seconds, span.is_failure) for span in found] == [
        (55.0, 5.0, False),
        (89.5, 9.5, True),
        (110.0, 90.0, True),
    ]


@pytest.mark.parametrize(
    "tree",
    [
        [],
        {"nodes": 3},
        {"nodes": [3, None, {"created_at": {}, "seconds": "x", "problem": []}]},
        {"nodes": [{"created_at": 1e400, "seconds": -1}]},
    ],
)
def test_h08_what_an_agent_claims_may_be_anything(
    run: tuple[RunFolder, RunRecord], tree: Any
) -> None:
    folder, record = run
    (folder.logs / "tree.json").write_text(json.dumps(tree))
    (folder.logs / "steps.jsonl").write_text(
        '[]\n{"messages": 3}\n{"messages": [3, {"role": []}]}\n'
    )
    hours_plot(read_activity(folder, record))
    (folder.logs / "tree.json").unlink()
    os.mkfifo(folder.logs / "tree.json")
    assert read_executions(folder) == []
