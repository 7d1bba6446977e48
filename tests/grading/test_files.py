"""Files that an agent wrote: what counts as a submission."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.files import is_submission, read_regular_file
from mlebench.grading.grade import grade_file


@pytest.mark.parametrize("name", ["submission.csv", "x.CSV", "a.b.Csv"])
def test_names_that_end_in_csv_are_submissions(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("")
    assert is_submission(tmp_path / name)


@pytest.mark.parametrize("name", ["submission.txt", "submission", "x.csv.gz", "csv", ".csv"])
def test_other_names_are_no_submission(name: str, tmp_path: Path, prepared: Catalogue) -> None:
    competition = prepared.get_competition("spaceship-titanic")
    file = tmp_path / name
    file.write_bytes(competition.gold_submission.read_bytes())
    report = grade_file(file, competition)
    assert not report.submission_exists
    assert report.score is None
    assert "does not end in .csv" in (report.reason or "")


def test_the_reason_names_the_file_and_not_its_folder(tmp_path: Path, prepared: Catalogue) -> None:
    report = grade_file(tmp_path / "none.csv", prepared.get_competition("spaceship-titanic"))
    assert report.reason == "none.csv does not exist or is not a file"


def test_a_folder_called_csv_is_no_submission(tmp_path: Path, prepared: Catalogue) -> None:
    (tmp_path / "x.csv").mkdir()
    report = grade_file(tmp_path / "x.csv", prepared.get_competition("spaceship-titanic"))
    assert (report.submission_exists, report.score) == (False, None)


def test_a_run_without_a_submission_has_thresholds(prepared: Catalogue) -> None:
    report = grade_file(None, prepared.get_competition("spaceship-titanic"))
    assert (report.submission_exists, report.score, report.submission_path) == (False, None, "None")
    assert report.gold_threshold > report.bronze_threshold > 0


def test_size_and_emptiness_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "submission.csv"
    file.write_bytes(b"old bytes")
    with pytest.raises(InvalidSubmissionError, match="more than the 5"):
        read_regular_file(file, 5)
    file.write_bytes(b"")
    assert read_regular_file(file, 5) == b""


def test_an_odd_file_is_scored_with_a_warning(tmp_path: Path, prepared: Catalogue) -> None:
    competition = prepared.get_competition("spaceship-titanic")
    file = tmp_path / "submission.csv"
    file.write_bytes(competition.gold_submission.read_bytes().replace(b"\n", b"\r"))
    report = grade_file(file, competition)
    assert report.score == 1.0
    assert report.warnings == ["lines end with a bare CR"]
