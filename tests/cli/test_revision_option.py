"""Every command names the revision it used, and refuses results of another one."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import Rehearsal, prepare
from tests.command import mlebench
from tests.results.made_runs import make_group

CID = "leaf-classification"


def call(*words: str | Path, code: int = 0) -> CompletedProcess[str]:
    done = mlebench(*words)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rehearsal data of one competition in both revisions; not to be written to."""
    folder = tmp_path_factory.mktemp("data")
    for revision in ("v1", "v1.1"):
        prepare(Catalogue(folder, revision=revision).get_competition(CID), Rehearsal())
    return folder


def make_both(runs: Path, ids: list[str] | None = None) -> dict[str, Path]:
    """A group of each revision."""
    return {
        revision: make_group(
            runs,
            "aide",
            ids or [CID],
            number=number,
            outcomes=["gold"],
            settings={"revision": revision},
        ).path
        for number, revision in enumerate(("v1", "v1.1"))
    }


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_make_submission_keeps_the_revision(tmp_path: Path) -> None:
    groups, output = make_both(tmp_path / "runs"), tmp_path / "s.jsonl"
    done = call("make-submission", groups["v1.1"], "--output", output)
    assert [line["revision"] for line in lines_of(output)] == ["v1.1"]
    assert done.stderr.splitlines()[-1].endswith("--output-dir reports --revision v1.1")
    done = call("make-submission", groups["v1"], "--output", output)
    published = {"competition_id", "submission_path", "logs_path", "code_path"}
    assert {*lines_of(output)[0]} == published
    assert done.stderr.splitlines()[-1].endswith("--output-dir reports")
    done = call("make-submission", *groups.values(), "--output", output, code=2)
    assert "revisions v1 and v1.1" in done.stderr


def write_lines(file: Path, *revisions: str | None) -> Path:
    """A line without a submission for each revision; None stands for a line that names none."""
    lines: list[dict[str, Any]] = [
        {"competition_id": CID, "submission_path": None} | ({"revision": r} if r else {})
        for r in revisions
    ]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file


@pytest.mark.parametrize(
    ("named", "stated", "used"),
    [
        (["v1.1", "v1.1"], None, "v1.1"),
        ([None], None, "v1"),
        ([None], "v1.1", "v1.1"),
        (["v1"], None, "v1"),
    ],
)
def test_grade_uses_the_revision_of_the_lines(
    data_dir: Path, tmp_path: Path, named: list[str | None], stated: str | None, used: str
) -> None:
    file = write_lines(tmp_path / "s.jsonl", *named)
    words = ["grade", "--submission", file, "--output-dir", tmp_path, "--data-dir", data_dir]
    words += ["--revision", stated] if stated else []
    summary = json.loads(call(*words, "--json").stdout)
    assert summary["revision"] == used
    assert {report["revision"] for report in summary["competition_reports"]} == {used}
    assert f", revision {used}:" in call(*words).stderr


@pytest.mark.parametrize(
    ("named", "stated"), [(["v1.1"], "v1"), (["v1"], "v1.1"), ([None, "v1.1"], None)]
)
def test_grade_refuses_another_revision(
    data_dir: Path, tmp_path: Path, named: list[str | None], stated: str | None
) -> None:
    file = write_lines(tmp_path / "s.jsonl", *named)
    words = ["grade", "--submission", file, "--output-dir", tmp_path, "--data-dir", data_dir]
    words += ["--revision", stated] if stated else []
    done = call(*words, code=2)
    assert "has submissions of revision" in done.stderr
    assert not list(tmp_path.glob("*report*")), "nothing was graded"


def test_grade_names_the_line_of_an_unknown_revision(data_dir: Path, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "s.jsonl", "v2")
    words = ["grade", "--submission", file, "--output-dir", tmp_path, "--data-dir", data_dir]
    assert "line 1 has the revision 'v2'; expected v1 or v1.1" in call(*words, code=1).stderr


def test_report_selects_by_revision(tmp_path: Path) -> None:
    groups = make_both(tmp_path / "runs")
    done = call("report", groups["v1"], "--revision", "v1.1", code=2)
    assert "the results are of revision v1, not v1.1" in done.stderr
    call("report", tmp_path / "runs", code=1)
    for revision in groups:
        done = call("report", tmp_path / "runs", "--revision", revision, "--json")
        found = json.loads(done.stdout)
        (split,) = found["splits"].values()
        assert (found["revision"], split["seeds"]) == (revision, 1)
        assert split["measures"]["any_medal"]["mean"] == 100
    assert json.loads(call("report", groups["v1.1"], "--json").stdout)["revision"] == "v1.1"


def test_bundles_are_of_the_stated_revision(tmp_path: Path) -> None:
    dev = Catalogue().get_split("dev")
    groups, bundle = make_both(tmp_path / "runs", dev), tmp_path / "mine.zip"
    words = ["bundle", "make", groups["v1.1"], "--out", bundle]
    assert "revision v1.1, not v1" in call(*words, "--revision", "v1", code=2).stderr
    assert not bundle.exists()
    call(*words, "--revision", "v1.1")
    done = call("bundle", "check", bundle, "--revision", "v1.1", code=1)
    assert "has no ledger" in done.stderr, "made-up runs have none; all else is checked"
    done = call("bundle", "check", bundle, "--revision", "v1", code=2)
    assert "revision v1.1, not v1" in done.stderr


@pytest.mark.parametrize("revision", ["v1", "v1.1"])
def test_outputs_and_hints_name_the_revision(data_dir: Path, revision: str) -> None:
    where = ["--data-dir", data_dir, "--revision", revision]
    option = "" if revision == "v1" else " --revision v1.1"
    sample = Catalogue(data_dir, revision=revision).get_competition(CID).sample_submission
    done = call("validate", sample, CID, *where)
    assert done.stdout == "valid\n"
    first, last = done.stderr.splitlines()
    assert first == f"revision {revision}"
    assert last.endswith(f"grade-sample {sample} {CID}{option}")
    assert json.loads(call("validate", sample, CID, *where, "--json").stdout) == {
        "schema": 1,
        "valid": True,
        "reason": None,
        "revision": revision,
    }
    assert call("show", CID, *where).stderr.endswith(f"-c {CID}{option}\n")
    assert call("list", *where).stderr.endswith(f"show ID{option}\n")
    done = call("verify", "-c", CID, *where)
    assert f"Verified 1 competition, revision {revision}:" in done.stderr
    assert json.loads(call("verify", *where, "--json").stdout)["revision"] == revision
    done = call("prepare", "-c", CID, "--rehearsal", *where)
    assert f", revision {revision}; already prepared: 1" in done.stderr
    done = call("prepare", "-c", CID, "--rehearsal", *where, "--json")
    assert json.loads(done.stdout)["revision"] == revision


def test_prepare_hints_at_the_revision(tmp_path: Path) -> None:
    where = ["--data-dir", tmp_path, "--revision", "v1.1"]
    done = call("prepare", "-c", CID, "--rehearsal", *where)
    assert done.stderr.splitlines()[-1].endswith(f"show {CID} --revision v1.1")
