"""Duplicates: of which files and rows, and what is too large or too much to compare."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.planted import COPIED, TEXTS, build, checked, images

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


def test_items_of_both_parts_in_one_folder_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    files = images(more=COPIED)["files"].replace("public / part", 'public / "images"')
    for part in ("train", "test"):
        files = files.replace(f'public / "{part}"', 'public / "images"')
    files = files.replace("mkdir()", "mkdir(exist_ok=True)")
    found = checked(build(tmp_path, 0, files=files))["duplicates"]
    assert found.status == "fail"
    assert found.evidence[0].startswith("9 of 100 test files are exact duplicates of files in")


def test_what_is_not_compared_is_stated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal bytes are sought in all files, similar pictures and texts in a part of them."""
    monkeypatch.setattr("mlebench.audit.duplicate_files.MOST_TRAIN", 150)
    located = build(tmp_path, 0, before=TEXTS, **images())
    found = checked(located)["duplicates"]
    assert found.status == "pass"
    exact, *near = found.evidence
    assert exact == "0 of 100 test files are exact duplicates of files in train"
    counts = "(compared: 150 of 300 in train, 100 of 100 in test)"
    assert [text.endswith(counts) for text in near] == [True, False, True]
