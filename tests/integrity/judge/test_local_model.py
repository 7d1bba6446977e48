"""The judge with a real language model on this machine: its calls, not its judgement."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agents.test_local_model import local_model  # noqa: F401

from .scripted import make_run, scan

pytestmark = [pytest.mark.long, pytest.mark.timeout(1500)]


def test_a_real_model_is_asked_and_replayed(tmp_path: Path, local_model: str) -> None:  # noqa: F811
    run = make_run(tmp_path, "loss 0.5\naccuracy 0.81", "$ ls /home/data\ntrain.csv test.csv")
    (first,) = scan(tmp_path, local_model)
    assert run.judge_calls.read_bytes().count(b'"kind": "exchange"') >= 1
    asked = [s for s in first.checks_skipped if s.id == "judge"]
    # So small a model may answer anything; what it says is used only if it has the right form.
    assert "judge" in first.checks_run, asked
    (second,) = scan(tmp_path, replay=True)
    assert second.findings == first.findings
    assert second.checks_skipped == first.checks_skipped
