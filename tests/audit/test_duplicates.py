"""Duplicate rows: numbers of other types, and tables that are too large to compare."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.planted import build, checked

COPIED_NUMBERS = """train['signal'] = range(len(train))
    test['signal'] = [*range(TEST - 1), None]
    test['other'] = train['other'].iloc[:TEST].to_numpy()"""


def test_numbers_are_equal_whatever_their_type(tmp_path: Path) -> None:
    """One empty cell makes a column of integers one of floats, in one part only."""
    found = checked(build(tmp_path, 0, after=COPIED_NUMBERS))["duplicates"]
    assert found.status == "fail"
    assert found.evidence[0].startswith("99 of 100 test rows of test.csv are equal to rows in")


def test_a_table_that_is_too_large_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    located = build(tmp_path, 0)
    assert checked(located)["duplicates"].status == "pass"
    monkeypatch.setattr("mlebench.audit.audited.LARGEST_TABLE", 7_000)
    found = checked(located)["duplicates"]
    assert found.status == "warn"
    assert found.evidence == ("rows of train.csv are not compared: the table is too large",)
