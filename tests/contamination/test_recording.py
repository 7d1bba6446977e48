"""The recording of a model's answers, and the child that compares labels."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from mlebench.contamination import label_child
from mlebench.contamination.answers import AnswerLog
from mlebench.contamination.label_child import LabelJudge
from mlebench.contamination.subjects import LabelSource
from mlebench.errors import DataError, SandboxError


def test_an_empty_recording_is_a_new_one(tmp_path: Path) -> None:
    """A command that was killed before the first line must be able to continue."""
    file = tmp_path / "answers.jsonl"
    file.touch()
    with closing(AnswerLog.record(file, model="stub", base_url="http://localhost")) as log:
        assert log.header["model"] == "stub"
    with closing(AnswerLog.replay(file)) as log:
        assert log.header["base_url"] == "http://localhost"


def test_another_file_is_refused_and_not_changed(tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"key": "value"}')
    with pytest.raises(DataError, match="not a recording"):
        AnswerLog.record(file, model="stub", base_url="http://localhost")
    assert file.read_text() == '{"key": "value"}'


def test_a_late_comparison_is_an_error_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("id,label\n1,a\n2,a\n")
    source = LabelSource("id", "label", ("1", "2"), answers)
    with closing(LabelJudge()) as judge:
        assert judge.compare(source, {"1": "a", "2": "b"}) == (1, 2, 1.0)
        monkeypatch.setattr(label_child, "SECONDS", 0)
        with pytest.raises(SandboxError, match="longer than 0 s"):
            judge.compare(source, {"1": "a"})
