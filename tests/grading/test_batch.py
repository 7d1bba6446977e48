"""Batch grading: one bad line never stops the rest, and a costly one ends in time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.grading.batch import (
    BatchEntry,
    grade_entries,
    read_entries,
    require_writable,
    summarize,
    write_summary,
)
from mlebench.grading.pool import Submission, without_folders


@pytest.mark.long
def test_two_hundred_submissions_with_twenty_unreadable(
    prepared: Catalogue, tmp_path: Path
) -> None:
    gold = prepared.get_competition("spaceship-titanic").gold_submission.read_bytes()
    spoilt = [b"", b"\x89PNG\0", b"a\n1\n", gold[:100], b"\xff\xfe" + gold]
    entries = []
    for number in range(200):
        file = tmp_path / f"{number}.csv"
        if number % 10 == 3:
            file.write_bytes(spoilt[number // 10 % len(spoilt)])
        else:
            file.write_bytes(gold)
        entries.append(BatchEntry(number, Submission("spaceship-titanic", file)))
    summary = summarize(grade_entries(entries, prepared, jobs=2))
    reports = summary["competition_reports"]
    assert len(reports) == summary["total_runs"] == 200
    invalid = [report for report in reports if not report["valid_submission"]]
    assert len(invalid) == 20
    assert all(report["reason"] for report in invalid)
    paths = [str(entry.submission.path) for entry in entries if entry.submission]
    assert [report["submission_path"] for report in reports] == paths


def test_bad_entries_are_reported_and_the_rest_is_graded(
    prepared: Catalogue, tmp_path: Path
) -> None:
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
    results = grade_entries(read_entries(file), prepared)
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
    summary = summarize(results)
    assert len(summary["errors"]) == 6
    assert summary["total_runs"] == len(texts)
    assert results[5].report
    reason = results[5].report.reason or ""
    assert "not prepared" in reason
    assert str(prepared.get_data_dir()) in errors[5]
    assert str(prepared.get_data_dir().parent) not in reason


def test_a_damaged_board_costs_its_own_entry_only(tmp_path: Path) -> None:
    catalogue, (file,) = endless(tmp_path, (5,))
    (tmp_path / "competitions" / "endless" / "leaderboard.json").write_text("{}")
    (result,) = grade_entries([BatchEntry(1, Submission("endless", file))], catalogue)
    assert result.report is None
    assert "has no 'teams'" in (result.error or "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("/home/x/a.csv is missing", "…/a.csv is missing"),
        ("no '/home/x/a.csv': --data-dir /data", "no '…/a.csv': --data-dir …/data"),
        ("see https://example.org/a/b, 3 / 4 or a/b", "see https://example.org/a/b, 3 / 4 or a/b"),
    ],
)
def test_reasons_name_no_folders_of_the_host(text: str, shown: str) -> None:
    assert without_folders(text) == shown


@pytest.mark.parametrize("path", [None, "None"])
def test_a_run_without_a_submission_counts(
    path: str | None, prepared: Catalogue, tmp_path: Path
) -> None:
    file = tmp_path / "entries.jsonl"
    file.write_text(json.dumps({"competition_id": "spaceship-titanic", "submission_path": path}))
    summary = summarize(grade_entries(read_entries(file), prepared))
    assert (summary["total_runs"], summary["total_runs_with_submissions"]) == (1, 0)
    assert summary["errors"] == []
    (report,) = summary["competition_reports"]
    assert (report["score"], report["submission_exists"]) == (None, False)


SCRIPT = """
import sys
from pathlib import Path
print("the script runs")
from mlebench.grading.batch import grade_entries, read_entries
from mlebench.catalogue import Catalogue
folder, data = map(Path, sys.argv[-2:])
(result,) = grade_entries(read_entries(folder / "entries.jsonl"), Catalogue(data))
print(result.report.score)
"""


@pytest.mark.parametrize("is_piped", [False, True])
def test_a_script_without_a_guard_is_not_run_again_by_the_children(
    is_piped: bool, prepared: Catalogue, tmp_path: Path
) -> None:
    gold = prepared.get_competition("spaceship-titanic").gold_submission
    entry = {"competition_id": "spaceship-titanic", "submission_path": str(gold)}
    (tmp_path / "entries.jsonl").write_text(json.dumps(entry))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "-" if is_piped else script, tmp_path, prepared.get_data_dir()],
        input=SCRIPT if is_piped else "",
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.stdout.split("\n") == ["the script runs", "1.0", ""], done.stderr


def test_a_fault_of_ours_is_an_error_with_a_report_and_not_an_invalid_submission(
    tmp_path: Path,
) -> None:
    catalogue, files = endless(tmp_path, (3, 5))
    entries = [BatchEntry(k, Submission("endless", file)) for k, file in enumerate(files)]
    broken, honest = grade_entries(entries, catalogue)
    assert "ZeroDivisionError" in (broken.error or "")
    assert broken.report
    assert broken.report.reason == broken.error
    assert (honest.error, honest.report and honest.report.score) == (None, 5.0)


def endless(tmp_path: Path, values: Sequence[int]) -> tuple[Catalogue, list[Path]]:
    """A competition whose metric sleeps, fills the memory or fails, and a file for each value."""
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
        "    if y_pred[0] == 3:\n"
        "        1 / 0\n"
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
    files = []
    for value in values:
        files.append(tmp_path / f"{value}.csv")
        files[-1].write_text(f"id,x\n1,{value}\n")
    return Catalogue(tmp_path / "data", (tmp_path / "competitions",)), files


@pytest.mark.long
def test_c11_a_costly_submission_ends_in_time_and_the_next_is_graded(tmp_path: Path) -> None:
    catalogue, files = endless(tmp_path, (1, 2, 5))
    entries = [BatchEntry(k, Submission("endless", file)) for k, file in enumerate(files)]
    slow, large, honest = (r.report for r in grade_entries(entries, catalogue, seconds=5))
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
