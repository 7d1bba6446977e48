"""Gradings are counted, and a ledger that was touched is seen (A03)."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from mlebench.catalogue import Catalogue
from mlebench.records.ledger import append_entry, read_ledger
from mlebench.results.aggregate import summarize_agents
from mlebench.results.attempts import load_attempts
from mlebench.results.figures import Results
from mlebench.results.gradings import count_gradings
from mlebench.results.page import render_page
from tests.results.test_bundle import DEV, make_results


def test_a03_a_second_grading_is_flagged(tmp_path: Path) -> None:
    group = make_results(tmp_path)
    attempts = load_attempts([group.path])
    found = count_gradings(attempts)
    assert (found.with_ledger, found.repeated, found.problems) == (1, (), ())
    assert found.lines == sum(attempt.report is not None for attempt in attempts)

    first = read_ledger(group.ledger).entries[0]
    append_entry(group.ledger, structs.replace(first, score=1.0))
    assert count_gradings(attempts).repeated == (first.run_id,)
    results = Results(attempts, summarize_agents(attempts, {"dev": DEV}), Catalogue())
    assert "graded more than once: 1 runs" in render_page(results)


def test_a03_a_missing_line_is_flagged(tmp_path: Path) -> None:
    group = make_results(tmp_path)
    lines = group.ledger.read_text().splitlines(keepends=True)
    group.ledger.write_text("".join(lines[:1] + lines[2:]))
    attempts = load_attempts([group.path])
    assert "does not follow" in count_gradings(attempts).problems[0]
    results = Results(attempts, summarize_agents(attempts, {"dev": DEV}), Catalogue())
    assert "ledger broken" in render_page(results)
    group.ledger.write_text("{")
    assert count_gradings(attempts).lines == 0
    group.ledger.write_text("[]\n")
    assert count_gradings(attempts).problems
