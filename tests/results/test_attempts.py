"""Reading runs and reports, damaged ones among them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from mlebench.errors import DataError, UsageError
from mlebench.records.integrity import IntegrityRecord, write_integrity
from mlebench.records.run import read_run, write_run
from mlebench.results.aggregate import summarize, summarize_agents
from mlebench.results.attempts import RunMemory, load_attempts
from tests.results.made_runs import make_group

IDS = ["spaceship-titanic", "leaf-classification"]


def test_agents_are_told_apart_and_seeds_counted_for_each(tmp_path: Path) -> None:
    for number, agent in enumerate(("aide", "tree", "aide")):
        make_group(tmp_path, agent, IDS, number=number, outcomes=["gold", "below"], slim=True)
    attempts = load_attempts([tmp_path])
    assert sorted((a.agent, a.seed) for a in attempts if a.competition_id == IDS[0]) == [
        ("aide", 0),
        ("aide", 1),
        ("tree", 0),
    ]
    with pytest.raises(UsageError, match="several agents are not averaged: aide, tree"):
        summarize(attempts, {"two": IDS})
    found = summarize_agents(attempts, {"two": IDS})
    assert found["aide"]["two"].measures["any_medal"].values == (50.0, 50.0)
    assert found["tree"]["two"].seeds == 1


def test_a_memory_reads_a_run_again_when_its_record_changes(tmp_path: Path) -> None:
    group = make_group(tmp_path, "aide", IDS, outcomes=["gold", "below"], slim=True)
    memory = RunMemory()
    first, second = load_attempts([group.path], read=memory)
    assert first.folder is not None and second.folder is not None
    write_integrity(IntegrityRecord("1", IDS[0], "v1", "now", "1"), first.folder.integrity)
    run = read_run(second.folder.state)
    write_run(structs.replace(run, state="failed", reason="lost"), second.folder.state)
    checked, failed = load_attempts([group.path], read=memory)
    assert checked.integrity is not None and checked.run == first.run
    assert failed.report is None and failed.problem == "lost"
    again = load_attempts([group.path], read=memory)
    assert again[0].report is checked.report and again[1].run is failed.run


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b'{"state": "finished"}',
        b'{"schema": 99}',
        b"\xff\xfe",
        b'{"seconds": NaN}',
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_f04_a_damaged_run_is_a_failure_with_a_reason(tmp_path: Path, damage: bytes) -> None:
    group = make_group(tmp_path, "aide", IDS, outcomes=["gold"], slim=True)
    folder = load_attempts([group.path])[0].folder
    assert folder is not None
    folder.state.write_bytes(damage)
    broken, whole = load_attempts([group.path])
    assert broken.report is None
    assert "damaged" in str(broken.problem) or "newer" in str(broken.problem)
    assert whole.has("gold_medal")


@pytest.mark.parametrize(
    ("name", "value"),
    [("seconds", "long"), ("model", []), ("sandbox", 3), ("validations", None), ("reason", {})],
)
def test_f04_fields_of_another_kind_are_damage(tmp_path: Path, name: str, value: Any) -> None:
    group = make_group(tmp_path, "aide", IDS, outcomes=["gold"], slim=True)
    folder = load_attempts([group.path])[0].folder
    assert folder is not None
    folder.state.write_text(json.dumps(json.loads(folder.state.read_text()) | {name: value}))
    assert "damaged" in str(load_attempts([group.path])[0].problem)


@pytest.mark.parametrize("score", ['"high"', "[]", "{}", "1e999"])
def test_f04_a_score_must_be_a_number(tmp_path: Path, score: str) -> None:
    group = make_group(tmp_path, "aide", IDS, outcomes=["gold"], slim=True)
    folder = load_attempts([group.path])[0].folder
    assert folder is not None
    facts = json.loads(folder.report.read_text()) | {"score": json.loads(score)}
    folder.report.write_text(json.dumps(facts))
    assert "report.json is damaged" in str(load_attempts([group.path])[0].problem)
    report = tmp_path / "grading_report.json"
    report.write_text(json.dumps({"competition_reports": [facts]}))
    with pytest.raises(DataError, match=r"grading_report\.json is damaged"):
        load_attempts([report])


def test_a_plan_that_is_no_plan_is_named(tmp_path: Path) -> None:
    group = make_group(tmp_path, "aide", IDS, slim=True)
    group.metadata.write_text(json.dumps({"runs": ["x"]}))
    with pytest.raises(DataError, match=r"metadata\.json is damaged"):
        load_attempts([group.path])
