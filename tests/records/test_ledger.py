"""The grading ledger: what was graded stays visible."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlebench.errors import DataError
from mlebench.records.ledger import FindingReview, Grading, append_entry, read_ledger


def grading(run_id: str = "a", score: float | None = 0.5) -> Grading:
    return Grading(run_id, "spaceship-titanic", 1, score, score is not None, "ab" * 32)


def test_entries_are_chained_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    for score in (0.5, 0.6):
        append_entry(path, grading(score=score))
    last = append_entry(path, grading("b", None))
    ledger = read_ledger(path)
    assert ledger.problems == ()
    assert [entry.number for entry in ledger.entries] == [1, 2, 3]
    assert ledger.entries[-1] == last
    assert [entry.score for entry in ledger.gradings_of("a")] == [0.5, 0.6]


def test_a03_taking_an_entry_out_or_changing_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    for score in (0.5, 0.6, 0.7):
        append_entry(path, grading(score=score))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[2]]) + "\n")
    assert read_ledger(path).problems == ("line 2 does not follow the line before it",)
    changed = json.loads(lines[1]) | {"score": 0.99}
    path.write_text("\n".join([lines[0], json.dumps(changed), lines[2]]) + "\n")
    assert read_ledger(path).problems == ("line 2 was changed",)
    added = json.loads(lines[1]) | {"note": "a field that the chain does not cover"}
    path.write_text("\n".join([lines[0], json.dumps(added), lines[2]]) + "\n")
    assert read_ledger(path).problems == ("line 2 was changed",)


def test_f04_an_entry_cut_by_a_crash_is_dropped_at_the_next_append(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    append_entry(path, grading())
    with path.open("a") as stream:
        stream.write('{"run_id": "half')
    assert len(read_ledger(path).entries) == 1
    append_entry(path, grading("b"))
    ledger = read_ledger(path)
    assert [entry.run_id for entry in ledger.entries] == ["a", "b"]
    assert ledger.problems == ()


def test_the_chain_goes_on_behind_more_entries_than_are_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    for number in range(300):
        append_entry(path, grading(f"run-{number}"))
    assert path.stat().st_size > 1 << 16
    ledger = read_ledger(path)
    assert ledger.problems == ()
    assert [entry.number for entry in ledger.entries] == list(range(1, 301))


def test_f04_a_damaged_entry_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    append_entry(path, grading())
    with path.open("a") as stream:
        stream.write("[]\n")
    with pytest.raises(DataError, match=r"line 2 of .*ledger\.jsonl is damaged"):
        read_ledger(path)
    with pytest.raises(DataError, match=r"the last entry of .*ledger\.jsonl is damaged"):
        append_entry(path, grading())


def test_reviews_are_part_of_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    append_entry(path, grading())
    for decision in ("confirmed", "dismissed"):
        append_entry(path, FindingReview("a", "I4-00", decision, "Ada", "looked at it"))
    append_entry(path, grading("b"))
    found = read_ledger(path)
    assert not found.problems
    assert [entry.run_id for entry in found.entries] == ["a", "b"]
    assert found.entries[-1].number == 4
    assert found.reviews_of("a")["I4-00"].decision == "dismissed"
    assert found.reviews_of("b") == {}
    path.write_text(path.read_text().replace('"confirmed"', '"dismissed"'))
    assert read_ledger(path).problems == ("line 2 was changed",)
