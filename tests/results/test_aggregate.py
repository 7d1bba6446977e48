"""Aggregation over seeds, with figures worked by hand."""

from __future__ import annotations

import json
import math
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.metrics.spread import student_t
from mlebench.records.report import CompetitionReport
from mlebench.results.aggregate import Estimate, present_splits, summarize
from mlebench.results.attempts import Attempt, Conditions, load_attempts, require_comparable
from mlebench.results.figures import Results
from mlebench.results.page import render_page
from mlebench.results.published import my_row, published_rows, ranked
from mlebench.results.statistics import (
    bootstrap,
    compare,
    competition_intervals,
    mean_pass_at_k,
    pass_at_k,
)
from mlebench.results.tables import format_table, leaderboard_rows, summary_rows


def report(competition_id: str, medal: str | None = None, **changes: Any) -> CompetitionReport:
    facts: dict[str, Any] = {
        "competition_id": competition_id,
        "score": 0.5,
        "gold_threshold": 0.9,
        "silver_threshold": 0.8,
        "bronze_threshold": 0.7,
        "median_threshold": 0.6,
        "any_medal": medal is not None,
        "gold_medal": medal == "gold",
        "silver_medal": medal == "silver",
        "bronze_medal": medal == "bronze",
        "above_median": medal is not None,
        "submission_exists": True,
        "valid_submission": True,
        "is_lower_better": False,
        "created_at": datetime(2026, 1, 1),
        "submission_path": "x",
    }
    return CompetitionReport(**(facts | changes))


def attempt(competition_id: str, seed: int, medal: str | None = None, **facts: Any) -> Attempt:
    graded = report(competition_id, medal)
    conditions = Conditions(**facts)
    return Attempt(competition_id, seed, "a", "source", graded, conditions=conditions)


def test_mean_and_standard_error_by_hand() -> None:
    estimate = Estimate((50.0, 25.0, 75.0))
    assert estimate.mean == 50
    # Deviations 0, -25, 25: variance 1250 / 2 = 625, deviation 25, error 25 / sqrt(3).
    assert estimate.standard_error == pytest.approx(25 / math.sqrt(3))
    # Student's t for two degrees of freedom at 97.5 %: 4.302653.
    assert estimate.interval == pytest.approx((0.0, 100.0))
    assert Estimate((40.0, 41.0, 42.0)).interval == pytest.approx(
        (41 - 4.302653 / math.sqrt(3), 41 + 4.302653 / math.sqrt(3)), abs=1e-5
    )
    assert Estimate((50.0,)).standard_error is None


def test_student_t_agrees_with_printed_tables() -> None:
    table = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 30: 2.042, 60: 2.000, 120: 1.980}
    for degrees, quantile in table.items():
        assert student_t(degrees) == pytest.approx(quantile, abs=5e-4)


def test_shares_are_over_the_whole_split() -> None:
    attempts = [
        attempt("a", 0, "gold"),
        attempt("b", 0),
        attempt("a", 1, "bronze"),
        attempt("b", 1, "silver"),
    ]
    found = summarize(attempts, {"two": ["a", "b"]})["two"]
    assert found.measures["any_medal"].values == (50.0, 100.0)
    assert found.measures["gold_medal"].values == (50.0, 0.0)
    assert found.graded == 4


def test_missing_reports_are_an_error_unless_padded() -> None:
    attempts = [attempt("a", 0, "gold"), attempt("b", 0), attempt("a", 1)]
    with pytest.raises(UsageError, match="1 of 4 reports of split 'two' are missing"):
        summarize(attempts, {"two": ["a", "b"]})
    padded = summarize(attempts, {"two": ["a", "b"]}, pad_missing=True)["two"]
    assert (padded.padded, padded.measures["valid_submission"].values) == (1, (100.0, 50.0))


def test_published_reports_become_seeds_in_the_order_of_the_files(tmp_path: Path) -> None:
    for number, medal in enumerate(("gold", None, "gold")):
        entries = []
        for name in ("spaceship-titanic", "leaf-classification"):
            full = report(name, medal if name == "spaceship-titanic" else None).to_dict()
            entries.append({k: v for k, v in list(full.items())[:16]})
        text = json.dumps({"competition_reports": entries})
        (tmp_path / f"{number}_grading_report.json").write_text(text)
    attempts = load_attempts([tmp_path])
    assert [a.seed for a in attempts if a.competition_id == "spaceship-titanic"] == [0, 1, 2]
    ids = ["spaceship-titanic", "leaf-classification"]
    found = summarize(attempts, {"x": ids}, seeds=3)["x"]
    assert found.measures["any_medal"].values == (50.0, 0.0, 50.0)
    assert present_splits(attempts, {"low": ["a"]}) == {"these": sorted(ids)}


def test_reports_made_under_other_conditions_are_not_averaged() -> None:
    same = [attempt("a", 0, hours=24, revision="v1"), attempt("b", 0, hours=24)]
    require_comparable(same)
    for mixed in ({"hours": 12}, {"revision": "v1.1"}, {"is_rehearsal": True}):
        first = {
            name: {"hours": 24, "revision": "v1", "is_rehearsal": False}[name] for name in mixed
        }
        with pytest.raises(UsageError, match=f"differ in {next(iter(mixed))}"):
            require_comparable([attempt("a", 0, **first), attempt("b", 0, **mixed)])


def test_pass_at_k_without_bias_by_hand() -> None:
    # One success in three: of the 3 pairs, 2 contain it.
    assert pass_at_k(3, 1, 2) == pytest.approx(2 / 3)
    assert pass_at_k(5, 0, 3) == 0
    assert pass_at_k(5, 5, 1) == 1
    attempts = [attempt("a", 0, "gold"), attempt("a", 1), attempt("b", 0), attempt("b", 1)]
    assert mean_pass_at_k(attempts, 1) == pytest.approx(25)
    assert mean_pass_at_k(attempts, 2) == pytest.approx(50)
    with pytest.raises(UsageError, match="pass@3 needs"):
        pass_at_k(2, 1, 3)


def test_comparison_by_hand() -> None:
    names = [f"c{k}" for k in range(6)]
    worse = [attempt(name, 0) for name in names]
    better = [attempt(name, 0, "gold") for name in names]
    found = compare(worse, better)
    assert (found.wins, found.losses, found.ties) == (6, 0, 0)
    assert found.difference.value == 100
    # All six signs equal: 2 of the 64 flips are as extreme.
    assert found.p_value == pytest.approx(2 / 64)
    same = compare(worse, worse)
    assert (same.p_value, same.ties) == (1.0, 6)
    assert bootstrap(better).low == bootstrap(better).high == 100
    with pytest.raises(UsageError, match="no competition in common"):
        compare(worse, [attempt("z", 0)])


def test_every_shared_competition_has_its_interval() -> None:
    first = [attempt("a", 0, "gold"), attempt("a", 1), attempt("b", 0)]
    found = competition_intervals(first, [attempt("a", 0, "gold")], "any_medal")
    assert list(found) == ["a"]
    assert found["a"].value == 50


def test_the_users_row_stands_among_the_published_ones() -> None:
    attempts = [attempt(name, 0, "gold") for name in Catalogue().get_split("all")]
    splits = {name: Catalogue().get_split(name) for name in ("low", "medium", "high", "all")}
    summary = summarize(attempts, splits)
    rows = ranked([*published_rows(), my_row("mine", "none", summary, "1")])
    assert rows[0].is_mine
    head, table = leaderboard_rows(rows)
    assert table[0][1:4] == ["mine", "none", "100.00"]
    assert len(table) == len(published_rows()) + 1
    assert summary_rows(summary)[1][-1][0] == "any medal"
    assert format_table(head, table, "latex").startswith(r"\begin{tabular}")


def test_w07_exported_cells_are_no_formulas() -> None:
    text = format_table(["a"], [["=HYPERLINK(1)"], ["@x"], ["-1.5"]], "csv")
    assert text == "a\n'=HYPERLINK(1)\n'@x\n-1.5\n"


def test_w01_the_page_shows_hostile_text_as_text() -> None:
    hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m\u202e"
    attempts = [
        Attempt("spaceship-titanic", 0, hostile, hostile, None, problem=hostile),
        Attempt(
            "spaceship-titanic",
            1,
            hostile,
            hostile,
            report("spaceship-titanic", valid_submission=False, score=None, reason=hostile),
        ),
    ]
    summary = summarize(attempts, {"these": ["spaceship-titanic"]}, seeds=2)
    results = Results(attempts, {hostile: summary}, Catalogue())
    page = render_page(results)
    assert page == render_page(results)
    assert page.count("<script>") == 1
    assert "<img" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "default-src 'none'" in page
    for address in ("http://", "https://"):
        assert address not in page
