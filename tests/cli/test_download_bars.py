"""Downloads tell how far they are."""

from __future__ import annotations

import pytest

from mlebench.cli import download_bars
from mlebench.cli.download_bars import progress_line


def test_line() -> None:
    line = progress_line("a", 500_000_000, 2_000_000_000, rate=25e6)
    assert line == "a: 0.50 of 2.00 GB, 25.0 MB/s, 1 min left"
    assert progress_line("a", 0, 1, rate=0).endswith("stalled")


def test_plain_lines_come_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 1.0, 11.0, 12.0, 22.0])
    monkeypatch.setattr(download_bars.time, "monotonic", lambda: next(clock))
    with download_bars.download_bars() as bars:
        report = bars("a")
        for done in (0, 100, 150, 200):
            report(done * 10**6, 10**9)
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "a: 0.10 of 1.00 GB, 9.1 MB/s, 2 min left",
        "a: 0.20 of 1.00 GB, 9.1 MB/s, 1 min left",
    ]


def test_bars_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(download_bars.sys.stderr, "isatty", lambda: True)
    with download_bars.download_bars() as bars:
        first, second = bars("first"), bars("second")
        first(50, 100)
        second(100, 100)
    assert "first" in capsys.readouterr().err
