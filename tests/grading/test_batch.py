"""Batch grading: one bad line never stops the rest, and a costly one ends in time."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.grading.batch import (
    Line,
    grade_lines,
    read_lines,
    require_writable,
    summarize,
    write_summary,
)


@pytest.mark.long
def test_two_hundred_submissions_with_twenty_unreadable(
    prepared: Catalogue, tmp_path: Path
) -> None:
    gold = prepared.get_competition("spaceship-titanic").gold_submission.read_bytes()
    spoilt = [b"", b"\x89PNG\0", b"a\n1\n", gold[:100], b"\xff\xfe" + gold]
    lines = []
    for number in range(200):
        file = tmp_path / f"{number}.csv"
        if number % 10 == 3:
            file.write_bytes(spoilt[number // 10 % len(spoilt)])
        else:
            file.write_bytes(gold)
        lines.append(Line(number, "spaceship-titanic", str(file)))
    summary = summarize(grade_lines(lines, prepared, jobs=2))
    reports = summary["competition_reports"]
    assert len(reports) == summary["total_runs"] == 200
    invalid = [report for report in reports if not report["valid_submission"]]
    assert len(invalid) == 20
    assert all(report["reason"] for report in invalid)
    assert [report["submission_path"] for report in reports] == [x.submission_path for x in lines]


def test_bad_lines_are_reported_and_the_rest_is_graded(prepared: Catalogue, tmp_path: Path) -> None:
    gold = prepared.get_competition("spaceship-titanic").gold_submission
    good = {"competition_id": "spaceship-titanic", "submission_path": str(gold)}
    file = tmp_path / "lines.jsonl"
    texts = [
        "not json",
        "[1]",
        json.dumps({"competition_id": "spaceship-titanic"}),
        json.dumps(good | {"competition_id": "spaceship-titanc"}),
        json.dumps(good | {"competition_id": "../x"}),
        json.dumps(good | {"competition_id": "playground-series-s3e18"}),
        json.dumps(good | {"logs_path": "x", "code_path": "y"}),
    ]
    file.write_text("\n".join(texts))
    results = grade_lines(read_lines(file), prepared)
    errors = [result.error or "" for result in results]
    for error, words in zip(
        errors,
        [
            "not JSON",
            "not a JSON object",
            "'submission_path'",
            "did you mean",
            "unknown",
            "not prepared",
        ],
        strict=False,
    ):
        assert words in error
    assert errors[-1] == ""
    assert results[-1].report
    assert results[-1].report.gold_medal
    assert len(summarize(results)["errors"]) == 6


def test_c11_a_costly_submission_ends_in_time_and_the_next_is_graded(tmp_path: Path) -> None:
    home = tmp_path / "competitions" / "endless"
    home.mkdir(parents=True)
    (home / "competition.py").write_text(
        "import time\n"
        "from mlebench.definition import CompetitionDefinition\n"
        "from mlebench.formats import RowPerId\n"
        "from mlebench.metrics import higher_is_better\n"
        "@higher_is_better\n"
        "def endless(y_true, y_pred):\n"
        "    if y_pred[0] == 1:\n"
        "        time.sleep(600)\n"
        "    if y_pred[0] == 2:\n"
        "        bytearray(100 << 30)\n"
        "    return float(y_pred[0])\n"
        "competition = CompetitionDefinition(id='endless', title='', category='', \n"
        "    complexity='dev', prepare=None, submission=RowPerId('id', 'x'), metric=endless)\n"
    )
    board = {"teams": 1, "lower_is_better": False, "quantiles": []}
    cuts = dict.fromkeys(("gold", "silver", "bronze", "median", "best", "worst"), 9)
    (home / "leaderboard.json").write_text(json.dumps(board | cuts))
    private = tmp_path / "data" / "endless" / "prepared" / "private"
    private.mkdir(parents=True)
    (private / "test.csv").write_text("id,x\n1,1\n")
    lines = []
    for number, value in enumerate((1, 2, 5)):
        file = tmp_path / f"{value}.csv"
        file.write_text(f"id,x\n1,{value}\n")
        lines.append(Line(number, "endless", str(file)))
    catalogue = Catalogue(tmp_path / "data", (tmp_path / "competitions",))
    slow, large, honest = (r.report for r in grade_lines(lines, catalogue, seconds=5))
    assert slow
    assert large
    assert honest
    assert "too costly" in (slow.reason or "")
    assert "memory" in (large.reason or "")
    assert (slow.valid_submission, large.valid_submission, honest.score) == (False, False, 5.0)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_output_folder_without_rights_is_found_before_the_work(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageError, match="cannot be"):
        require_writable(tmp_path / "out")


def test_an_output_folder_that_is_a_file_is_found_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError, match="cannot be made"):
        require_writable(tmp_path / "out")


def test_a_report_is_whole_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left"):
        write_summary({"total_runs": 0}, tmp_path)
    assert list(tmp_path.glob("*.json")) == []
