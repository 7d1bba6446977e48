"""One contract over all record types: round trip, newer versions, unknown fields, damage."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mlebench.errors import DataError, UsageError
from mlebench.records import bundle, group, integrity, ledger, manifest, measures, report, run
from mlebench.records.activity import RESOURCES, VALIDATIONS, ResourceSample, ValidationCall
from mlebench.records.budget import BUDGET_LOG, BudgetEntry
from mlebench.records.codec import LineFormat
from mlebench.records.episode import EPISODE_LINES, StepEntry
from mlebench.records.folders import CompetitionFolder, RunFolder

RUN = run.RunRecord(
    run_id="spaceship-titanic_1",
    group="g",
    competition_id="spaceship-titanic",
    agent="aide",
    seed=3,
    state="finished",
    attempt=2,
    created_at="2026-03-01T08:00:00+00:00",
    started_at="2026-03-01T08:01:00+00:00",
    ended_at="2026-03-01T09:01:00+00:00",
    seconds=3600.5,
    blame="timeout",
    reason="it ran longer than an hour: \u2026",
    sandbox={"name": "bubblewrap", "isolation": "namespaces", "network": "none", "uid": 60000},
    usage={"cpus": run.LimitUsage(2, 1.5, "kernel"), "gpus": run.LimitUsage()},
    leftovers={"pid": 17, "start": "4711"},
    validations=4,
    model=run.ModelTotals(name="m", calls=3, input_tokens=10, output_tokens=5, unknown_tokens=2),
    submission=run.SealedSubmission(True, "ab" * 32, 304),
    score=0.8,
    medal="bronze",
    attempts=(run.LostAttempt(1, "machine", "no space", "2026-03-01T07:00:00+00:00"),),
    provenance=run.Provenance(mlebench="0.1.0", cpus=2, gpus=("one", "two"), manifest_sha256="cd"),
)
INTEGRITY = integrity.summarised(
    integrity.IntegrityRecord(
        run_id="spaceship-titanic_1",
        competition_id="spaceship-titanic",
        revision="v1",
        created_at="2026-03-01T08:00:00+00:00",
        tool_version="0.1.0",
        checks_run=("I1", "I4"),
        checks_skipped=(integrity.SkippedCheck("I2", "not prepared"),),
        findings=(
            integrity.IntegrityFinding(
                id="I4-0011aabb",
                check="I4",
                severity="strong",
                deterministic=True,
                title="labels in the code",
                evidence=(integrity.EvidenceItem("code/a.py", 17, 3, "ab" * 32, "1: 'x' …"),),
                figure=61,
                threshold=50,
                judge=integrity.JudgeVerdict("m", "cd" * 32, "unsure", 0.5, 3),
            ),
        ),
        similarity=(
            integrity.SimilarReference(
                "kernel/1", 0.5, 0.25, (integrity.MatchedRange("code/a.py", 1, 9, 4, 12),)
            ),
        ),
    )
)
GROUP = group.with_hash(
    group.GroupRecord(
        group="g",
        created_at="2026-03-01T08:00:00+00:00",
        agent="aide",
        agent_version="1",
        agent_digest="ef" * 32,
        settings=group.Settings(
            sandbox="bubblewrap",
            hours=24,
            limits=group.GrantedLimits(cpus=2.5, memory_bytes=10**9, gpus=1),
            gateway={"model": "m", "group_budget": {"calls": 4}},
        ),
        runs=(group.PlannedRun("a_1", "a", 0), group.PlannedRun("a_2", "a", 1)),
    )
)
REPORT = report.CompetitionReport(
    "spaceship-titanic", 0.8, 0.82, 0.81, 0.8, 0.79, True, False, False, True, True, True, True,
    False, datetime(2026, 3, 1, 9, 1, 2, 345678), "/data/submission.csv", None, 300, 2288, 0.87,
    "ab" * 32, warnings=["odd"],
)  # fmt: skip
MANIFEST = manifest.Manifest(
    competition_id="a",
    source={"kind": "archive", "md5": "12"},
    warnings=["w"],
    files={
        "private/test.csv": {"size": 3, "sha256": "ab", "rows": 1},
        "public/é.png": {"size": 4, "sha256": "cd", "content": "ef"},
    },
)
GRADING = ledger.Grading("a_1", "a", 1, 0.5, True, "ab")


@dataclass(frozen=True)
class Kind:
    """How one file format is written and read, and a record of it."""

    record: Any
    file: str
    write: Callable[[Path], object]
    read: Callable[[Path], Any]
    schema: int
    field: str
    """A field whose type is checked, and which is not a text."""


def _folder(path: Path) -> CompetitionFolder:
    return CompetitionFolder(path, "a")


def _write_manifest(path: Path) -> None:
    _folder(path).prepared.mkdir(parents=True)
    manifest.write_manifest(MANIFEST, _folder(path).prepared)


def _read_manifest(path: Path) -> Any:
    found = manifest.read_manifest(_folder(path))
    assert found is not None
    # Counts and hashes are filled in by the writer.
    assert (found.file_count, found.total_bytes, set(found.private)) == (2, 7, {"private/test.csv"})
    written = {"private": {}, "file_count": 0, "total_bytes": 0, "file_list_sha256": ""}
    return dataclasses.replace(found, files=dict(found.files), **written)


def _write_measures(path: Path) -> None:
    (path / "host").mkdir()
    measures.write_measures(MEASURES, RunFolder(path))


def _write_progress(path: Path) -> None:
    (path / "host").mkdir()
    measures.write_progress(PROGRESS, RunFolder(path))


MEASURES = measures.WorkMeasures(1.5, 3, 1, code_files=2, code_lines=40, linter="ruff 1")
PROGRESS = measures.Progress({"60.csv": 12}, (measures.Grade(1 / 60, 0.5, None, cost=0.25),))
BUNDLE = bundle.BundleRecord(
    mlebench="0.1.0",
    sources=("groups/001", "reports/002_grading_report.json"),
    claim=bundle.Claim("é", "m", {"dev": {"seeds": 3, "mean": 0.5}}, is_padded=True, seeds=3),
    files={"groups/001/metadata.json": bundle.ListedFile(3, "ab" * 32)},
)
GRADED = report.GradingReport((REPORT, REPORT), total_runs=2, total_medals=2, agent="agent")


def _graded_content() -> dict[str, Any]:
    content: dict[str, Any] = msgspec.to_builtins(GRADED)
    return content | {"competition_reports": [REPORT.to_dict(), REPORT.to_dict()]}


KINDS = {
    "run": Kind(
        RUN,
        "run.json",
        lambda path: run.write_run(RUN, path / "run.json"),
        lambda path: run.read_run(path / "run.json"),
        run.SCHEMA,
        "seed",
    ),
    "group": Kind(
        GROUP,
        "metadata.json",
        lambda path: group.write_group(GROUP, path / "metadata.json"),
        lambda path: group.read_unchanged_group(path / "metadata.json"),
        group.SCHEMA,
        "settings",
    ),
    "report": Kind(
        REPORT,
        "report.json",
        lambda path: report.write_report(REPORT, path / "report.json"),
        lambda path: report.read_report(path / "report.json"),
        report.SCHEMA,
        "gold_medal",
    ),
    "grading report": Kind(
        GRADED,
        "grading_report.json",
        lambda path: report.write_grading_report(_graded_content(), path / "grading_report.json"),
        lambda path: report.read_grading_report(path / "grading_report.json"),
        report.GRADING_SCHEMA,
        "total_runs",
    ),
    "manifest": Kind(
        dataclasses.replace(MANIFEST),
        "a/prepared/manifest.json",
        _write_manifest,
        _read_manifest,
        manifest.SCHEMA,
        "is_rehearsal",
    ),
    "ledger": Kind(
        GRADING,
        "ledger.jsonl",
        lambda path: ledger.append_entry(path / "ledger.jsonl", GRADING),
        lambda path: msgspec.structs.replace(
            ledger.read_ledger(path / "ledger.jsonl").entries[0],
            **{"number": 0, "time": "", "previous": "", "hash": ""},
        ),
        ledger.SCHEMA,
        "attempt",
    ),
    "integrity": Kind(
        INTEGRITY,
        "integrity.json",
        lambda path: integrity.write_integrity(INTEGRITY, path / "integrity.json"),
        lambda path: integrity.read_integrity(path / "integrity.json"),
        integrity.SCHEMA,
        "findings",
    ),
    "progress": Kind(
        PROGRESS,
        "host/progress.json",
        _write_progress,
        lambda path: measures.read_progress(RunFolder(path)),
        measures.PROGRESS_SCHEMA,
        "copies",
    ),
    "bundle": Kind(
        BUNDLE,
        bundle.BUNDLE_FILE,
        lambda path: (path / bundle.BUNDLE_FILE).write_bytes(bundle.encode_bundle(BUNDLE)),
        lambda path: bundle.BUNDLE.read(path / bundle.BUNDLE_FILE),
        bundle.SCHEMA,
        "files",
    ),
    "process": Kind(
        MEASURES,
        "host/process.json",
        _write_measures,
        lambda path: measures.read_measures(RunFolder(path)),
        measures.PROCESS_SCHEMA,
        "validations",
    ),
}
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def edit(kind: Kind, folder: Path, **changes: Any) -> None:
    file = folder / kind.file
    # A record per line in the ledger, one record in every other file.
    file.write_text(json.dumps(json.loads(file.read_text()) | changes) + "\n")


@every_kind
def test_what_is_written_is_read(kind: Kind, tmp_path: Path) -> None:
    kind.write(tmp_path)
    assert kind.read(tmp_path) == kind.record
    assert json.loads((tmp_path / kind.file).read_text())["schema"] == kind.schema


@every_kind
def test_a_newer_version_is_refused_with_a_sentence(kind: Kind, tmp_path: Path) -> None:
    kind.write(tmp_path)
    name = Path(kind.file).name
    words = f"{name} was written by a newer mlebench: it has schema 99, this version reads"
    edit(kind, tmp_path, schema=99)
    with pytest.raises(DataError, match=words):
        kind.read(tmp_path)
    # Whatever a newer version makes of its fields, it is not called damage.
    edit(kind, tmp_path, schema=99, **{kind.field: "something else"})
    with pytest.raises(DataError, match=words):
        kind.read(tmp_path)


@every_kind
def test_unknown_fields_are_tolerated(kind: Kind, tmp_path: Path) -> None:
    kind.write(tmp_path)
    edit(kind, tmp_path, a_field_of_tomorrow={"x": [1, None]})
    assert kind.read(tmp_path) == kind.record


DAMAGE = [b"", b"{", b"[]", b"null", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"schema": "x"}']


@every_kind
@pytest.mark.parametrize("damage", DAMAGE, ids=range(len(DAMAGE)))
def test_f04_damage_is_named(kind: Kind, damage: bytes, tmp_path: Path) -> None:
    kind.write(tmp_path)
    if damage == b"{}" and kind is KINDS["process"]:
        pytest.skip("every field of it has a default")
    (tmp_path / kind.file).write_bytes(damage + b"\n")
    with pytest.raises(DataError, match=f"{Path(kind.file).name}.* is damaged: "):
        kind.read(tmp_path)


@every_kind
def test_f04_a_field_of_another_type_is_named(kind: Kind, tmp_path: Path) -> None:
    kind.write(tmp_path)
    edit(kind, tmp_path, **{kind.field: "text"})
    with pytest.raises(DataError, match=rf"is damaged: Expected .* at `\$\.{kind.field}`"):
        kind.read(tmp_path)


@every_kind
def test_a_cut_file_is_damage(kind: Kind, tmp_path: Path) -> None:
    kind.write(tmp_path)
    file = tmp_path / kind.file
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] + b"\n")
    with pytest.raises(DataError, match="is damaged: "):
        kind.read(tmp_path)


LINES: dict[str, tuple[LineFormat[Any], Any]] = {
    "budget log": (BUDGET_LOG, BudgetEntry("1", "r", reserve=(30, 7, 1))),
    "validations": (VALIDATIONS, ValidationCall(1.5, reason="no column 'id' \u2026", size=7)),
    "episodes": (EPISODE_LINES, StepEntry(1, {"kind": "info"}, "a\nb", "ok", 0.5)),
    "resources": (RESOURCES, ResourceSample(10.5, cpu_seconds=3, memory_bytes=10**9)),
}


@pytest.mark.parametrize(("lines", "entry"), LINES.values(), ids=LINES)
def test_lines_survive_what_a_crash_leaves(lines: LineFormat[Any], entry: Any) -> None:
    line = lines.encode(entry)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    tomorrow = json.dumps(json.loads(line) | {"a_field_of_tomorrow": 1}).encode() + b"\n"
    data = line + b"\xff{\n[]\n" + tomorrow + line[: len(line) // 2]
    assert list(lines.decode(data)) == [entry, entry]


def test_not_a_number_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        run.write_run(msgspec.structs.replace(RUN, score=float("nan")), tmp_path / "run.json")
    assert list(tmp_path.iterdir()) == []


def test_texts_that_are_no_unicode_are_written_and_read(tmp_path: Path) -> None:
    """A reason may quote the name of a file that an agent made."""
    file = tmp_path / "run.json"
    run.write_run(msgspec.structs.replace(RUN, reason="file \udcff"), file)
    assert run.read_run(file).reason == "file ?"
    # Version 0.1 wrote such texts with escapes.
    old = json.loads(file.read_text()) | {"reason": "file \udcff, \ud800"}
    file.write_text(json.dumps(old))
    assert run.read_run(file).reason == "file ?, ?"


def test_a_plan_that_was_edited_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "metadata.json"
    group.write_group(GROUP, file)
    stored = json.loads(file.read_text())
    stored["settings"]["hours"] = 99
    file.write_text(json.dumps(stored))
    assert group.read_group(file).settings.hours == 99
    with pytest.raises(UsageError, match="was changed after it was made"):
        group.read_unchanged_group(file)
    # A setting that this version does not know is part of the plan, too.
    stored["settings"] = {**stored["settings"], "hours": 24, "of_tomorrow": True}
    file.write_text(json.dumps(stored))
    with pytest.raises(UsageError, match="was changed after it was made"):
        group.read_unchanged_group(file)


def test_a_report_is_equal_to_itself_after_its_dictionary() -> None:
    assert report.CompetitionReport.from_dict(REPORT.to_dict()) == REPORT
