"""Disclosure in bundles: filled from the records, and every forged claim is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mlebench.errors import UsageError
from mlebench.records.disclosure import Disclosure, read_claims
from mlebench.records.integrity import (
    IntegrityFinding,
    IntegrityRecord,
    write_integrity,
)
from mlebench.records.ledger import Grading, append_entry
from mlebench.results.attempts import Attempt, load_attempts
from mlebench.results.bundle import write_bundle
from mlebench.results.disclosure import disclose, find_level
from tests.command import mlebench
from tests.results.made_runs import MODEL
from tests.results.test_bundle import Facts, changed, check, in_json, make_results, summary_of

PRICES = {"models": {MODEL: {"input": 2.0, "output": 8.0}}}
SETTINGS = {"model": MODEL, "gateway": {"prices": PRICES}, "hours": 24}


def finding(check: str, status: Any = "open") -> IntegrityFinding:
    return IntegrityFinding("x", check, "review", False, "a title", status=status)


def check_integrity(attempt: Attempt, *findings: IntegrityFinding) -> None:
    assert attempt.folder and attempt.run
    record = IntegrityRecord(
        attempt.run.run_id, attempt.competition_id, "v1", "", "1", findings=findings
    )
    write_integrity(record, attempt.folder.integrity)


@pytest.fixture(scope="module")
def group(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results whose graded runs were all checked; one has an open finding."""
    made = make_results(tmp_path_factory.mktemp("runs"), settings=SETTINGS)
    plan = json.loads(made.metadata.read_text()) | {"protocol": "lite"}
    made.metadata.write_text(json.dumps(plan))
    graded = [attempt for attempt in load_attempts([made.path]) if attempt.report]
    for number, attempt in enumerate(graded):
        check_integrity(attempt, *([finding("I12")] if number == 0 else []))
    return made.path


@pytest.fixture(scope="module")
def bundle(group: Path) -> Path:
    attempts = load_attempts([group])
    path = group.parent / "mine.zip"
    claims = {"external_data": "none"}
    write_bundle(attempts, summary_of(attempts), path, name="mine", claims=claims)
    return path


def test_the_records_fill_the_disclosure(bundle: Path) -> None:
    found = check(bundle)
    assert found.problems == [] and found.disclosure is not None
    told = found.disclosure
    assert (told.network, told.test_feedback, told.external_data) == ("none", "none", "none")
    assert (told.hours, told.revision, told.model) == (24, "v1", MODEL)
    assert (told.seeds_planned, told.seeds_reported, told.runs_planned) == (2, 2, 14)
    assert told.prices == {"input": 2.0, "output": 8.0}
    assert told.integrity == {
        "clean": told.runs_reported - 1,
        "review": 1,
        "disqualified": 0,
        "unchecked": 0,
    }
    assert told.protocol == "lite" and told.deviations is not None
    assert "seeds: 2 instead of 3" in told.deviations
    assert found.level == "closed"  # A finding waits for a review.


FORGED: dict[str, Any] = {
    "network": "host",
    "test_feedback": "2 runs were graded more than once",
    "cpus": 96.0,
    "memory_gb": 900.0,
    "gpus": ["NVIDIA H200, 143771 MiB, 550"],
    "hours": 12.0,
    "seeds_planned": 3,
    "seeds_reported": 3,
    "runs_planned": 225,
    "runs_reported": 225,
    "model": "another",
    "prices": {"input": 0.1, "output": 0.2},
    "cost": 0.01,
    "integrity": {"clean": 14, "review": 0, "disqualified": 0, "unchecked": 0},
    "revision": "v1.1",
    "protocol": "published",
    "deviations": [],
}


def test_every_field_has_a_forged_claim() -> None:
    assert {*FORGED, "external_data"} == set(Disclosure.__struct_fields__)


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_claim_is_found(bundle: Path, tmp_path: Path, name: str) -> None:
    forge = in_json("bundle.json", lambda f: f["disclosure"].update({name: FORGED[name]}))
    found = check(changed(bundle, tmp_path / "b.zip", forge))
    told = [text for text in found.problems if text.startswith(f"{name} is claimed to be ")]
    assert len(told) == 1 and "the records say" in told[0], found.problems


@pytest.mark.parametrize("name", ["deviations", "cost"])
def test_a_recorded_fact_that_is_left_out_is_found(bundle: Path, tmp_path: Path, name: str) -> None:
    forge = in_json("bundle.json", lambda f: f["disclosure"].update({name: None}))
    found = check(changed(bundle, tmp_path / "b.zip", forge))
    assert [text for text in found.problems if text.startswith(f"{name} is left out")]


def test_a_claim_that_contradicts_is_refused_when_the_bundle_is_made(
    group: Path, tmp_path: Path
) -> None:
    attempts = load_attempts([group])
    with pytest.raises(UsageError, match="hours is claimed to be 12"):
        write_bundle(
            attempts, summary_of(attempts), tmp_path / "b.zip", name="x", claims={"hours": 12}
        )


def test_outside_data_that_a_reviewer_confirmed(bundle: Path, tmp_path: Path) -> None:
    def confirm(facts: Facts) -> None:
        for one in facts["findings"]:
            one["status"] = "confirmed"

    forge = in_json("integrity.json", confirm)
    problems = check(changed(bundle, tmp_path / "b.zip", forge)).problems
    assert any(text.startswith("external_data is claimed to be none, but") for text in problems)
    assert any("integrity.json does not follow from its findings" in text for text in problems)


def test_runs_taken_out_of_the_plan_are_missed(bundle: Path, tmp_path: Path) -> None:
    def cut(facts: Facts) -> None:
        facts["runs"] = facts["runs"][1:]

    problems = check(changed(bundle, tmp_path / "b.zip", in_json("metadata.json", cut))).problems
    assert any("has the seeds [1] of" in text for text in problems)
    assert any("more seeds of some competitions" in text for text in problems)


def test_gradings_that_a_ledger_repeats_are_feedback(tmp_path: Path) -> None:
    made = make_results(tmp_path, settings=SETTINGS)
    (attempt, *_) = [a for a in load_attempts([made.path]) if a.report]
    assert attempt.run and attempt.report
    again = Grading(
        run_id=attempt.run.run_id,
        competition_id=attempt.competition_id,
        attempt=1,
        score=attempt.report.score,
        valid=attempt.report.valid_submission,
        submission_sha256=attempt.report.submission_sha256,
    )
    append_entry(made.ledger, again)
    told = disclose(load_attempts([made.path]), seeds=2)
    assert told.test_feedback == "1 runs were graded more than once"
    assert find_level(told, load_attempts([made.path])) == "recorded"


def test_levels(group: Path, tmp_path: Path) -> None:
    attempts = load_attempts([group])
    told = disclose(attempts, seeds=2)
    assert find_level(told, attempts) == "closed"
    clean = make_results(tmp_path, settings=SETTINGS)
    for attempt in load_attempts([clean.path]):
        if attempt.report:
            check_integrity(attempt)
    again = load_attempts([clean.path])
    assert find_level(disclose(again, seeds=2), again) == "checked"
    reports = tmp_path / "a_grading_report.json"
    entries = [a.report.to_dict() for a in attempts if a.report]
    reports.write_text(json.dumps({"competition_reports": entries}))
    outside = load_attempts([reports])
    assert find_level(disclose(outside, seeds=1), outside) == "claimed"


def test_the_commands(group: Path, tmp_path: Path) -> None:
    claims = tmp_path / "disclosure.toml"
    claims.write_text('external_data = "weights of ResNet-50 inside the image"\nhours = 24\n')
    out = tmp_path / "mine.zip"
    words = ["--split", "dev", "--seeds", "2", "--disclosure", claims]
    made = mlebench("bundle", "make", group, "--out", out, *words)
    assert made.returncode == 0, made.stderr
    facts = json.loads(mlebench("bundle", "check", out, "--json").stdout)
    assert facts["ok"] and facts["level"] == "closed"
    assert facts["disclosure"]["external_data"] == "weights of ResNet-50 inside the image"
    forge = in_json("bundle.json", lambda f: f["disclosure"].update(network="host"))
    done = mlebench("bundle", "check", changed(out, tmp_path / "forged.zip", forge))
    assert done.returncode == 1
    assert "network is claimed to be host, the records say none" in done.stderr
    claims.write_text("hour = 24\n")
    with pytest.raises(UsageError, match="unknown field `hour`"):
        read_claims(claims)
    claims.write_text('hours = "many"\n')
    with pytest.raises(UsageError, match="Expected `float"):
        read_claims(claims)
