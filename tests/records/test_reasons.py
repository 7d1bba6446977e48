"""Reasons leave this machine without its paths."""

from __future__ import annotations

import pytest

from mlebench.records.reasons import without_host_paths


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("[Errno 13] denied: '/srv/my runs/a b.csv'", "[Errno 13] denied: '…/a b.csv'"),
        ('"/a/b" -> "/c/d"', '"…/b" -> "…/d"'),
        ("source path /root/x-1/y~: not found", "source path …/y~: not found"),
        ("in /home/alice/runs/", "in …/runs"),
        ("in /home/database/x", "in …/x"),
        ("mount /data (busy)", "mount …/data (busy)"),
        ("/home/submission/submission.csv is empty", "/home/submission/submission.csv is empty"),
        ("see /home/data/train.csv", "see /home/data/train.csv"),
        ("1/2 of rows, and/or a / b", "1/2 of rows, and/or a / b"),
        ("https://example.org/a/b refused", "https://example.org/a/b refused"),
    ],
)
def test_only_names_are_left(reason: str, expected: str) -> None:
    assert without_host_paths(reason) == expected
