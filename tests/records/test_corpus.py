"""Records of version 0.1, as that version wrote them, are still read.

`corpus/0.1` holds the records of real runs: of shell scripts as agents, of an agent with a model
behind the gateway, its replay, a provider that refuses the key, a cancelled group, and what
`prepare --rehearsal`, `grade` and `report --over-time --process` left; and the trajectory of
four calls of a gateway, one of them refused.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from mlebench.records.activity import RESOURCES, VALIDATIONS, ResourceSample
from mlebench.records.budget import BUDGET_LOG, BudgetEntry
from mlebench.records.codec import to_json
from mlebench.records.folders import CompetitionFolder, GroupFolder, RunFolder
from mlebench.records.group import read_unchanged_group
from mlebench.records.ledger import read_ledger
from mlebench.records.manifest import read_manifest
from mlebench.records.measures import Grade, read_measures, read_progress
from mlebench.records.report import CompetitionReport, read_grading_report, read_report
from mlebench.records.run import LimitUsage, ModelTotals, RunRecord, SealedSubmission, read_run
from mlebench.records.trajectory import (
    CloseEntry,
    ExchangeEntry,
    OpenEntry,
    RefusedEntry,
    StartEntry,
    decode_entry,
    encode_entry,
    read_entries,
    read_heads,
)
from mlebench.results.attempts import load_attempts
from mlebench.runner.plan import open_group
from mlebench.runner.statuses import count_states, read_runs

CORPUS = Path(__file__).parent / "corpus" / "0.1"
GROUPS = {
    "finished": (4, {"finished": 4}),
    "empty": (1, {"finished": 1}),
    "timeout": (1, {"finished": 1}),
    "link": (1, {"finished": 1}),
    "cancelled": (3, {"cancelled": 3}),
    "budget": (1, {"finished": 1}),
    "model": (1, {"finished": 1}),
    "replay": (1, {"finished": 1}),
    "failed": (1, {"failed": 1}),
}
SAMPLE_SHA256 = "7a55afcd85d4e39000ba57cf347aa73c8df0411b025aea0207872efd6d88aee8"


def runs_of(name: str) -> list[RunRecord]:
    group = open_group(GroupFolder(CORPUS / "runs" / name))
    return [run.record for run in read_runs(group) if run.record]


def run_of(name: str) -> RunRecord:
    (run,) = runs_of(name)
    return run


def test_nothing_in_the_corpus_is_left_out() -> None:
    read = {"run.json", "metadata.json", "ledger.jsonl", "budget.jsonl", "report.json"}
    read |= {"validations.jsonl", "resources.jsonl", "progress.json", "process.json"}
    read |= {"manifest.json", "files.jsonl", "2026-11-16T11-28-55-261_grading_report.json"}
    read |= {"trajectory.jsonl", "945fcef427a9842df7a04dbabbbed68f.txt"}
    files = [file for file in CORPUS.rglob("*") if file.is_file()]
    assert {file.name for file in files} == read
    assert {folder.name for folder in (CORPUS / "runs").iterdir()} == set(GROUPS)


@pytest.mark.parametrize("name", GROUPS)
def test_plans_are_read_and_their_hash_holds(name: str) -> None:
    group = open_group(GroupFolder(CORPUS / "runs" / name))
    count, states = GROUPS[name]
    assert len(group.plan.runs) == count
    assert count_states(read_runs(group)) == states


def stored(value: Any) -> Any:
    """JSON without what version 0.1 wrote as an empty object and is nothing now."""
    if isinstance(value, dict):
        return {name: stored(part) for name, part in value.items() if part not in ({}, None)}
    return [stored(part) for part in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(
    "file", sorted(CORPUS.rglob("run.json")), ids=lambda file: file.parent.name
)
def test_no_field_of_a_run_is_lost(file: Path) -> None:
    written = stored(json.loads(file.read_text()))
    found = stored(to_json(read_run(file)))
    assert found.pop("fence") == 0, "newer"
    assert found.pop("starts") == [], "newer"
    # Of a run that never started, version 0.1 left these two out.
    assert found == {"submission": {"exists": False}, "provenance": {"gpus": []}} | written


@pytest.mark.parametrize(
    "file", sorted(CORPUS.rglob("metadata.json")), ids=lambda file: file.parent.name
)
def test_no_field_of_a_plan_is_lost(file: Path) -> None:
    plan = to_json(read_unchanged_group(file))
    assert plan["provenance"].pop("manifest_sha256") is None
    assert (plan.pop("label"), plan.pop("launch")["agent_folder"]) == ("", None), "newer fields"
    assert (plan.pop("enforced"), plan["settings"].pop("require_limits")) == ({}, False), "newer"
    assert not plan.pop("protocol") and not plan.pop("deviations"), "newer"
    assert plan["settings"].pop("obfuscation") == "", "newer"
    assert json.loads(json.dumps(plan)) == json.loads(file.read_text())


@pytest.mark.parametrize(
    "file", sorted(CORPUS.rglob("report.json")), ids=lambda file: file.parents[1].name
)
def test_no_field_of_a_report_is_lost(file: Path) -> None:
    report = read_report(file)
    found = report.to_dict()
    assert (found.pop("warnings"), found.pop("uncertainty")) == ([], None), "newer fields"
    assert found.pop("teams_beaten") is None, "newer"
    assert found == json.loads(file.read_text())
    assert CompetitionReport.from_dict(json.loads(file.read_text())) == report


def test_a_plan_by_its_values() -> None:
    plan = read_unchanged_group(CORPUS / "runs" / "finished" / "metadata.json")
    assert (plan.agent, plan.agent_version, plan.schema) == ("tiny", "1", 1)
    assert plan.created_at == "2026-11-16T11:27:34+00:00"
    assert [(run.competition_id, run.seed) for run in plan.runs] == [
        ("spaceship-titanic", 0),
        ("leaf-classification", 0),
        ("spaceship-titanic", 1),
        ("leaf-classification", 1),
    ]
    settings = plan.settings
    assert (settings.sandbox, settings.hours, settings.profile) == ("bubblewrap", 1 / 6, "small")
    assert (settings.is_rehearsal, settings.is_obfuscated, settings.model) == (True, False, None)
    assert (settings.limits.cpus, settings.limits.memory_bytes) == (2, 4_000_000_000)
    assert (settings.limits.processes, settings.limits.gpus) == (4096, 0)
    assert (plan.provenance.mlebench, plan.provenance.cpus) == ("0.1.0", 2)
    replay = read_unchanged_group(CORPUS / "runs" / "replay" / "metadata.json").settings
    assert (replay.model, replay.gateway["replay_mode"]) == ("stand-in", "strict")


def test_a_finished_run_by_its_values() -> None:
    run = runs_of("finished")[0]
    assert (run.state, run.attempt, run.seed, run.blame) == ("finished", 1, 0, None)
    assert run.reason == "it ended by itself with exit code 0"
    assert (run.score, run.medal, run.validations) == (0.45, None, 2)
    sha256 = "387dbfd198ec624fd2748517d6d435d4555b3befa280c97091f4534dc105b3cc"
    assert run.submission == SealedSubmission(True, sha256, 284)
    assert run.usage["cpus"] == LimitUsage(2, 0.01, "kernel")
    assert run.usage["wall_seconds"].granted == 600.0
    assert (run.sandbox["name"], run.sandbox["network"]) == ("bubblewrap", "none")
    assert (run.model, run.attempts, run.leftovers) == (None, (), {})


def test_other_ends_of_a_run_by_their_values() -> None:
    empty, timeout, link = (run_of(name) for name in ("empty", "timeout", "link"))
    assert (empty.blame, empty.score, empty.submission) == ("agent", None, SealedSubmission(False))
    assert empty.reason == "it ended by itself with exit code 3"
    assert (timeout.blame, timeout.reason) == ("timeout", "its 2 seconds were over")
    assert (timeout.score, timeout.submission.sha256) == (0.55, SAMPLE_SHA256)
    assert link.submission.problem == "submission.csv is a symbolic link, expected a regular file"
    assert (link.submission.exists, link.score) == (True, None)
    cancelled = runs_of("cancelled")
    assert [run.reason for run in cancelled] == [
        "it was cancelled",
        "it was cancelled",
        "cancelled",
    ]
    assert [run.seconds for run in cancelled[2:]] == [None]
    failed = run_of("failed")
    assert (failed.blame, failed.attempt) == ("infrastructure", 3)
    assert failed.reason == "the model provider failed: key (3 times in a row)"
    assert [(lost.attempt, lost.kind) for lost in failed.attempts] == [
        (1, "machine"),
        (2, "machine"),
        (3, "machine"),
    ]
    assert failed.attempts[0].started_at == "2026-11-16T11:28:43+00:00"


def test_model_calls_by_their_values() -> None:
    budget, model, replay = (run_of(name) for name in ("budget", "model", "replay"))
    assert budget.blame == "budget"
    assert budget.model == ModelTotals(
        name="stand-in",
        calls=2,
        answered=2,
        refused=1,
        input_tokens=200,
        output_tokens=40,
        seconds=0.225,
        budget_spent=True,
    )
    assert model.model is not None and replay.model is not None
    assert (model.model.calls, model.model.tokens, model.model.is_replay) == (3, 360, False)
    assert (replay.model.answered, replay.model.is_replay, replay.model.cost) == (3, True, None)


def test_reports_by_their_values() -> None:
    group = GroupFolder(CORPUS / "runs" / "timeout")
    report = read_report(group.run(run_of("timeout").run_id).report)
    assert report == CompetitionReport(
        "spaceship-titanic", 0.55, 0.82066, 0.81388, 0.80967, 0.79565, False, False, False, False,
        False, True, True, False, report.created_at, report.submission_path, None, 2151, 2288,
        0.06031468531468531, SAMPLE_SHA256, "v1", True, False,
    )  # fmt: skip
    assert report.created_at.date() == datetime(2026, 11, 16).date()
    assert report.submission_path.startswith("/data/runs/2026-11-16T11-2")
    group = GroupFolder(CORPUS / "runs" / "link")
    refused = read_report(group.run(run_of("link").run_id).report)
    assert (refused.valid_submission, refused.submission_exists) == (False, True)
    assert refused.reason == "submission.csv is a symbolic link, expected a regular file"


def test_the_grading_report_by_its_values() -> None:
    (file,) = (CORPUS / "graded").iterdir()
    found = read_grading_report(file)
    assert (found.total_runs, found.total_runs_with_submissions, found.total_medals) == (5, 4, 0)
    assert [(r.competition_id, r.score) for r in found.competition_reports] == [
        ("spaceship-titanic", 0.45),
        ("leaf-classification", 4.59512),
        ("spaceship-titanic", 0.45),
        ("leaf-classification", 4.59512),
        ("leaf-classification", None),
    ]
    assert found.competition_reports[0].created_at == datetime(2026, 11, 16, 11, 28, 55, 29314)
    assert not found.competition_reports[-1].submission_exists
    assert (found.errors, found.agent) == ((), "agent")


def test_ledgers_by_their_values() -> None:
    ledger = read_ledger(CORPUS / "runs" / "finished" / "ledger.jsonl")
    assert ledger.problems == ()
    assert [entry.number for entry in ledger.entries] == [1, 2, 3, 4]
    first = ledger.entries[0]
    assert (first.competition_id, first.attempt, first.score) == ("spaceship-titanic", 1, 0.45)
    assert (first.valid, first.time) == (True, "2026-11-16T11:27:46+00:00")
    assert first.hash == "9fe0fde4654b38eb3c9b13b254bbf9fb74bd627310f11f08afca262e25329295"
    for name in ("empty", "timeout", "link", "budget", "model", "replay"):
        ledger = read_ledger(CORPUS / "runs" / name / "ledger.jsonl")
        assert (len(ledger.entries), ledger.problems) == (1, ())


def test_the_budget_log_by_its_values() -> None:
    data = (CORPUS / "runs" / "budget" / "budget.jsonl").read_bytes()
    run = "ae9791ae9d7641539523794fff439c9f"
    first, second = "eb2c6e9bc25a402f8973b12b4a81b463", "4fa5d93b01434dac84c1d7eb679bf66b"
    assert list(BUDGET_LOG.decode(data)) == [
        BudgetEntry(first, run, reserve=(32953, 0, 1)),
        BudgetEntry(first, settle=(120, 0, 1)),
        BudgetEntry(second, run, reserve=(32953, 0, 1)),
        BudgetEntry(second, settle=(120, 0, 1)),
    ]


def test_a_trajectory_by_its_values() -> None:
    file = CORPUS / "gateway" / "trajectory.jsonl"
    first, *calls, refused, last = read_entries(file)
    time = "2026-11-16T13:18:28.254+00:00"
    assert first == OpenEntry(time, 1, "run-1", "stand-in", "http://127.0.0.1:33331/v1", None)
    assert [entry.id for entry in calls if isinstance(entry, StartEntry)] == [1, 2, 3]
    one, two, three = (entry for entry in calls if isinstance(entry, ExchangeEntry))
    asked = [call.request["messages"][0]["content"] for call in (one, two, three)]
    assert asked == ["one \ud800", "two", "long " * 13200]
    assert (one.outcome, one.seconds, one.statuses, one.error) == ("answered", 0.0631, [200], None)
    assert (one.input_tokens, one.output_tokens, one.booked_tokens) == (100, 20, 120)
    assert one.response["choices"][0]["message"]["content"] == "one two three four five"
    assert two.changed == {"stream_options": {"include_usage": True}}
    assert isinstance(two.events, list) and two.events[-1] == (None, "[DONE]")
    assert (one.events, three.cost, three.answering_model) == (UNSET, None, "stand-in")
    assert isinstance(refused, RefusedEntry) and refused.path == "/v1/nothing"
    assert isinstance(last, CloseEntry) and last.totals == ModelTotals(
        "stand-in", 3, 3, refused=1, input_tokens=300, output_tokens=60, seconds=0.161
    )
    assert [(head.id, head.seconds) for head in read_heads(file)] == [
        (1, 0.0631),
        (2, 0.052),
        (3, 0.0461),
    ]


def test_no_field_of_a_trajectory_is_lost() -> None:
    for line in (CORPUS / "gateway" / "trajectory.jsonl").read_bytes().splitlines():
        entry = decode_entry(line)
        assert entry is not None
        written = json.loads(line)
        # A reference that is written again is taken for the agent's own text.
        if "$file" not in line.decode():
            assert encode_entry(entry, dict) == line.decode()
        assert json.loads(json.dumps(to_json(entry))) == written


def test_what_lies_beside_a_run_by_its_values() -> None:
    run = RunFolder(CORPUS / "runs" / "finished" / runs_of("finished")[0].run_id)
    calls = list(VALIDATIONS.decode(run.validations.read_bytes()))
    assert [(call.valid, call.elapsed, call.size) for call in calls] == [
        (True, 2.012, 304),
        (False, 6.069, 7),
    ]
    assert calls[0].sha256 == SAMPLE_SHA256
    assert str(calls[1].reason).startswith("Submission is invalid: submission lacks column")
    assert list(RESOURCES.decode(run.resources.read_bytes())) == [
        ResourceSample(0.0, 0.03, 6230016, 0, 3)
    ]
    progress = read_progress(run)
    assert progress is not None
    assert progress.copies == {"0.csv": 304, "2.csv": 284, "4.csv": 7}
    assert progress.grades[1] == Grade(2 / 3600, 0.45, None, cpu_hours=0.03 / 3600)
    assert [grade.score for grade in progress.grades] == [0.55, 0.45, None, 0.45]
    measures = read_measures(run)
    assert measures is not None
    assert (measures.validations, measures.invalid_validations) == (2, 1)
    assert (measures.code_files, measures.code_lines, measures.lint_findings) == (1, 1, 0)
    assert measures.first_valid_hours == 2.012 / 3600


def test_the_manifest_by_its_values() -> None:
    found = read_manifest(CompetitionFolder(CORPUS / "data", "spaceship-titanic"))
    assert found is not None
    assert (found.is_rehearsal, found.seed, found.scale, found.schema) == (True, 0, 1, 2)
    assert (found.file_count, found.total_bytes, len(found.files)) == (5, 22751, 5)
    assert found.source == {"kind": "rehearsal"}
    assert found.private == {
        "private/test.csv": {
            "size": 1839,
            "sha256": "87dd6cac2f90eef32b7c04c7c608f3d6a8b7644b176d197d23883e5d8f65f438",
            "rows": 20,
        }
    }
    sample = found.files["public/sample_submission.csv"]
    assert sample == {"size": 304, "sha256": SAMPLE_SHA256, "rows": 20}


def test_a_report_over_the_old_runs() -> None:
    attempts = load_attempts([CORPUS / "runs"])
    assert len(attempts) == 14
    assert sum(attempt.report is not None for attempt in attempts) == 10
    assert {attempt.conditions.isolation for attempt in attempts} == {
        "namespaces, shared kernel",
        None,
    }
