"""`prepare` shows how far each competition is."""

from __future__ import annotations

import pytest

from mlebench.cli import prepare_display
from mlebench.cli.prepare_display import display
from mlebench.preparing.pipeline import PreparationOutcome, PreparationProgress


def test_bars_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prepare_display.sys.stderr, "isatty", lambda: True)
    with display() as (on_progress, on_done):
        on_progress(PreparationProgress("first", "downloading", 50, 100))
        on_progress(PreparationProgress("second", "downloading", 100, 100))
        on_done(PreparationOutcome("second", "ok", files=2, bytes=10**6, rows=7))
    said = capsys.readouterr().err
    assert "first  downloading" in said
    assert "ok    second  7 rows  2 files  1.0 MB  0.0 s" in said
