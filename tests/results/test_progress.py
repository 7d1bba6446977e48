"""Copies of a submission are graded once and kept; shares over time and money follow by hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.records.measures import Grade
from mlebench.results.attempts import Attempt, load_attempts
from mlebench.results.progress import (
    Course,
    grade_over_time,
    marks,
    progress_figures,
    read_courses,
    shares_over,
)
from tests.results.made_runs import make_group


@pytest.fixture
def attempts(tmp_path: Path, prepared: Catalogue) -> list[Attempt]:
    """A finished run whose submission was first broken, then the sample, then the answers."""
    group = make_group(tmp_path, "aide", ["spaceship-titanic"], outcomes=["below"])
    found = load_attempts([group.path])
    folder = found[0].folder
    assert folder is not None
    shutil.rmtree(folder.snapshots)
    folder.snapshots.mkdir()
    competition = prepared.get_competition("spaceship-titanic")
    (folder.snapshots / "60.csv").write_text("wrong\n1\n")
    shutil.copy(competition.sample_submission, folder.snapshots / "3700.csv")
    shutil.copy(competition.gold_submission, folder.snapshots / "7300.csv")
    return found


def test_copies_are_graded_once_and_kept(attempts: list[Attempt], prepared: Catalogue) -> None:
    done = []
    (course,) = grade_over_time(attempts, prepared, on_done=lambda *told: done.append(told))
    assert done == [(1, 1, None)]
    assert [grade.is_valid for grade in course.grades] == [False, True, True, True]
    assert course.grades[2].score == 1.0
    assert course.grades[2].medal == "gold"
    assert course.grades[-1].score == attempts[0].score
    assert course.grades[1].tokens is not None
    assert course.grades[1].cpu_hours is not None

    again = grade_over_time(attempts, prepared, on_done=lambda *told: done.append(told))
    assert again == [course]
    assert done == [(1, 1, None)]  # nothing was graded a second time


def test_without_data_it_says_so_and_keeps_nothing(attempts: list[Attempt], tmp_path: Path) -> None:
    told: list[tuple[int, int, str | None]] = []
    empty = Catalogue(tmp_path / "nothing")
    assert grade_over_time(attempts, empty, on_done=lambda *words: told.append(words)) == []
    assert "not prepared" in str(told[0][2])
    assert attempts[0].folder is not None
    assert not attempts[0].folder.progress.exists()


def test_copies_are_graded_in_the_revision_of_their_run(
    tmp_path: Path, prepared: Catalogue
) -> None:
    settings = {"revision": "v1.1"}
    group = make_group(
        tmp_path, "aide", ["spaceship-titanic"], outcomes=["below"], settings=settings
    )
    told: list[tuple[int, int, str | None]] = []
    grade_over_time(
        load_attempts([group.path]), prepared, on_done=lambda *words: told.append(words)
    )
    assert "--revision v1.1" in str(told[0][2]), "only v1 is prepared"


def test_grades_of_other_copies_do_not_count(attempts: list[Attempt], prepared: Catalogue) -> None:
    grade_over_time(attempts, prepared)
    folder = attempts[0].folder
    assert folder is not None
    assert json.loads(folder.progress.read_text())["schema"] == 1
    (folder.snapshots / "9000.csv").write_text("another\n")
    assert read_courses(attempts) == []
    folder.progress.write_text("{")
    assert read_courses(attempts) == []


def course(*grades: Grade) -> Course:
    return Course("c", "a", False, grades)


def test_shares_over_time_by_hand() -> None:
    courses = [
        # Gold after an hour, and spoilt by a worse file later.
        course(Grade(1, 0.9, "gold", cost=1.0), Grade(3, 0.2, None, cost=4.0)),
        # Nothing valid for long.
        course(Grade(0.5, None, None, cost=0.5), Grade(4, 0.7, "bronze", cost=8.0)),
    ]
    found = shares_over(courses, [0.5, 1, 2, 4])
    assert found == {
        "valid submission": [0.0, 50.0, 50.0, 100.0],
        "any medal, best so far": [0.0, 50.0, 50.0, 100.0],
        "any medal, as it was": [0.0, 50.0, 50.0, 50.0],
    }
    figures = progress_figures(courses)
    assert figures["runs"] == 2
    assert figures["hours"]["after"] == [1, 2, 4]
    assert figures["cost"]["any medal, best so far"][-1] == 100.0
    assert "tokens" not in figures


def test_marks_double_up_to_the_limit() -> None:
    assert marks(24) == [1, 2, 4, 8, 16, 24]
    assert marks(1) == [0.125, 0.25, 0.5, 1]
    assert marks(0) == []
