"""The ledger: what was graded stays visible."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.records import ledger


def test_lines_are_chained_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    for score in (0.5, 0.6):
        ledger.append(path, {"run_id": "a", "score": score})
    ledger.append(path, {"run_id": "b", "score": None})
    assert ledger.verify(path) == []
    assert [line["number"] for line in ledger.read(path)] == [1, 2, 3]
    assert len(ledger.gradings_of(path, "a")) == 2


def test_a03_taking_a_line_out_or_changing_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    for score in (0.5, 0.6, 0.7):
        ledger.append(path, {"run_id": "a", "score": score})
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[2]]) + "\n")
    assert ledger.verify(path) == ["line 2 does not follow the line before it"]
    changed = json.loads(lines[1]) | {"score": 0.99}
    path.write_text("\n".join([lines[0], json.dumps(changed), lines[2]]) + "\n")
    assert ledger.verify(path) == ["line 2 was changed"]


def test_f04_a_line_cut_by_a_crash_is_dropped_at_the_next_append(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    ledger.append(path, {"run_id": "a"})
    with path.open("a") as stream:
        stream.write('{"run_id": "half')
    assert len(ledger.read(path)) == 1
    ledger.append(path, {"run_id": "b"})
    assert [line["run_id"] for line in ledger.read(path)] == ["a", "b"]
    assert ledger.verify(path) == []
