"""The uncertainty of a medal in a report: interval of the rank, and whether it crosses a cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.grading.grade import grade_file
from mlebench.grading.uncertainty import place, seed_of
from mlebench.leaderboards.leaderboard import from_scores
from mlebench.metrics.spread import StandardError
from mlebench.records.report import CompetitionReport

BOARD = from_scores([rank / 100 for rank in range(100, 0, -1)], is_lower_better=False)
"""A hundred teams with 1.00 to 0.01: gold from 0.91, silver from 0.81, bronze from 0.61."""


@pytest.mark.parametrize(
    ("score", "error", "ranks", "is_uncertain"),
    [
        (0.75, 0.01, (24, 28), False),
        (0.75, 0.05, (16, 36), True),
        (0.95, 0.015, (4, 9), False),
        (0.60, 0.001, (42, 42), False),
        (0.60, 0.02, (38, 45), True),
        (0.10, 0.02, (88, 95), False),
    ],
)
def test_an_interval_that_crosses_a_cut_is_uncertain(
    score: float, error: float, ranks: tuple[int, int], is_uncertain: bool
) -> None:
    found = place(StandardError(error, units=10_001), score, BOARD)
    assert found.rank_interval is not None
    best, worst = found.rank_interval
    assert abs(best - ranks[0]) <= 1
    assert abs(worst - ranks[1]) <= 1
    assert found.uncertain is is_uncertain
    low, high = found.score_interval or (0, 0)
    assert (low, high) == pytest.approx((score - 1.96 * error, score + 1.96 * error), abs=1e-4)


def test_lower_scores_may_be_better() -> None:
    board = from_scores([rank / 100 for rank in range(1, 101)], is_lower_better=True)
    found = place(StandardError(0.05, units=10_001), 0.38, board)
    assert found.rank_interval == (29, 48)
    assert found.uncertain, "bronze is 0.40"


def test_without_an_error_nothing_is_said() -> None:
    found = place(StandardError(None, reason="one row"), 0.5, BOARD)
    assert (found.uncertain, found.rank_interval, found.reason) == (None, None, "one row")


def test_a_seed_depends_on_submission_and_competition() -> None:
    seeds = {seed_of(name, digest) for name in ("a", "b") for digest in ("0" * 64, "1" * 64)}
    assert len(seeds) == 4
    assert seed_of("a", "0" * 64) == seed_of("a", "0" * 64)


def test_a_report_has_it_and_keeps_it(prepared: Catalogue, tmp_path: Path) -> None:
    competition = prepared.get_competition("spaceship-titanic")
    sample = competition.sample_submission
    report = grade_file(sample, competition)
    assert report.uncertainty is not None
    rows = sample.read_bytes().count(b"\n") - 1
    assert (report.uncertainty.units, report.uncertainty.unit) == (rows, "row")
    share = report.score or 0
    expected = (share * (1 - share) / (rows - 1)) ** 0.5
    assert report.uncertainty.standard_error == pytest.approx(expected, abs=1e-5)
    stored = json.loads(json.dumps(report.to_dict()))
    assert CompetitionReport.from_dict(stored) == report
    assert grade_file(sample, competition).uncertainty == report.uncertainty
    published = list(stored)[:16]
    assert published[-1] == "submission_path", "the fields of the published report come first"
    assert grade_file(None, competition).uncertainty is None
