"""The medal rate as graded and after integrity: disqualified runs are failures."""

from __future__ import annotations

from dataclasses import replace

from mlebench.records.integrity import IntegrityRecord
from mlebench.results.aggregate import AFTER_INTEGRITY, shown_measures, summarize
from mlebench.results.attempts import Attempt
from mlebench.results.tables import summary_rows
from tests.results.test_aggregate import attempt

SPLIT = {"these": ["a", "b"]}


def checked(one: Attempt, result: str) -> Attempt:
    record = IntegrityRecord("r", one.competition_id, "v1", "", "", result=result)
    return replace(one, integrity=record)


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
