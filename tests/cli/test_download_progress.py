"""Downloads tell how far they are."""

from __future__ import annotations

import pytest

from mlebench.cli import progress
from mlebench.cli.prepare_display import display
from mlebench.cli.progress import plain_progress, progress_line
from mlebench.preparing.pipeline import PreparationOutcome, PreparationProgress
from tests.cli.terminal import rows_shown
from tests.waiting import wait_for


def test_line() -> None:
    line = progress_line("a", 500_000_000, 2_000_000_000, rate=25e6)
    assert line == "a: 0.50 of 2.00 GB, 25.0 MB/s, 1 min left"
    assert progress_line("a", 0, 1, rate=0).endswith("stalled")


def test_plain_lines_come_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 1.0, 11.0, 12.0, 22.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    on_progress = plain_progress("a")
    for done in (0, 100, 150, 200):
        on_progress(done * 10**6, 10**9)
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "a: 0.10 of 1.00 GB, 9.1 MB/s, 2 min left",
        "a: 0.20 of 1.00 GB, 9.1 MB/s, 1 min left",
    ]


def test_bars_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("TERM", "xterm")
    shown = ""

    def is_shown() -> bool:
        nonlocal shown
        shown += capsys.readouterr().err
        return "50/100 bytes" in shown and "preparing" in shown

    with display() as (on_progress, on_done):
        on_progress(PreparationProgress("first", "downloading", 50, 100))
        on_progress(PreparationProgress("second", "preparing"))
        wait_for(is_shown)
        on_done(PreparationOutcome("second", "ok", rows=7))
    shown += capsys.readouterr().err
    assert "0/? bytes" not in shown, "no bytes are counted while preparing"
    rows = [row for row in rows_shown(shown.replace("\n", "\r\n")) if row]
    assert rows == ["ok    second  7 rows  0 files  0.0 MB  0.0 s"]
