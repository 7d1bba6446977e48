"""The medal rate as graded and after integrity: disqualified runs are failures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mlebench.records.integrity import IntegrityFinding, IntegrityRecord
from mlebench.results.aggregate import AFTER_INTEGRITY, WITHOUT_LEAKS, shown_measures, summarize
from mlebench.results.attempts import Attempt
from mlebench.results.tables import summary_rows
from tests.results.test_aggregate import attempt

SPLIT = {"these": ["a", "b"]}


def checked(one: Attempt, result: str, *findings: IntegrityFinding) -> Attempt:
    record = IntegrityRecord(
        "r", one.competition_id, "v1", "", "", result=result, findings=findings
    )
    return replace(one, integrity=record)


def leak(status: str = "open") -> IntegrityFinding:
    return IntegrityFinding("I7-0", "I7", "strong", True, "a leak", status=status)


def test_disqualified_runs_count_as_failures() -> None:
    won = [attempt("a", 0, "gold"), attempt("b", 0, "gold")]
    (plain,) = summarize(won, SPLIT).values()
    assert AFTER_INTEGRITY not in plain.measures
    assert AFTER_INTEGRITY not in shown_measures([plain])
    both = [checked(won[0], "disqualified"), checked(won[1], "review")]
    (found,) = summarize(both, SPLIT).values()
    assert found.measures["any_medal"].values == (100.0,)
    assert found.measures[AFTER_INTEGRITY].values == (50.0,)
    _, rows = summary_rows({"these": found})
    assert rows[-1] == ["any medal after integrity", "50.00"]


@pytest.mark.parametrize(
    ("status", "rate"), [("open", 0.0), ("confirmed", 0.0), ("dismissed", None)]
)
def test_competitions_whose_leak_was_used_are_left_out(status: str, rate: float | None) -> None:
    """Of a, won with a leak, and b, lost: one half with both, nothing without the first."""
    runs = [checked(attempt("a", 0, "gold"), "review", leak(status)), attempt("b", 0, None)]
    (found,) = summarize(runs, SPLIT).values()
    assert found.measures["any_medal"].values == (50.0,)
    without = found.measures.get(WITHOUT_LEAKS)
    assert (without and without.values) == (rate if rate is None else (rate,))
    assert (WITHOUT_LEAKS in shown_measures([found])) is (rate is not None)


def test_a_leak_in_one_seed_leaves_the_competition_out_of_all() -> None:
    runs = [
        checked(attempt("a", 0, "gold"), "review", leak()),
        *(attempt("a", 1, "gold"), attempt("b", 0, "gold"), attempt("b", 1, None)),
    ]
    (found,) = summarize(runs, SPLIT).values()
    assert found.measures[WITHOUT_LEAKS].values == (100.0, 0.0)
    (alone,) = summarize(runs[:2], {"these": ["a"]}).values()
    assert WITHOUT_LEAKS not in alone.measures
