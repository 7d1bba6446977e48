"""Logs of episodes: what is written is read, whatever a crash leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlebench.errors import DataError
from mlebench.records.episode import (
    EndEntry,
    EpisodeWriter,
    ResetEntry,
    StepEntry,
    read_episode,
)

RESET = ResetEntry("e1", "starter-wine", "v1.1", "train", "medal@1", 7, {"steps": 3}, "hello")
STEP = StepEntry(1, {"kind": "run", "code": "\ud800"}, "ok \u2026", "ok", 0.25, validation="valid")
END = EndEntry("lost", 1, 0.25, blame="infrastructure", detail="gone")


def write(path: Path) -> None:
    writer = EpisodeWriter(path)
    for entry in (RESET, STEP, END):
        writer.write(entry)
    writer.close()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write(tmp_path / "a" / "e.jsonl")
    record = read_episode(tmp_path / "a" / "e.jsonl")
    assert (record.reset, record.end) == (RESET, END)
    assert record.steps[0].text == STEP.text
    assert record.steps[0].action["code"] == "?"  # an unpaired surrogate is not UTF-8


def test_a_log_is_never_written_over(tmp_path: Path) -> None:
    write(tmp_path / "e.jsonl")
    with pytest.raises(FileExistsError):
        EpisodeWriter(tmp_path / "e.jsonl")


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_an_incomplete_last_line_is_left_out(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "e.jsonl"
    write(path)
    path.write_bytes(path.read_bytes()[:-cut])
    record = read_episode(path)
    assert len(record.steps) == 1
    assert record.end is (None if cut > 1 else record.end)


@pytest.mark.parametrize("text", ["", "{}", '{"kind": "step"}\n', "nonsense\n"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match="not the log of an episode"):
        read_episode(path)


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    write(path)
    first, *rest = path.read_text().splitlines()
    newer = json.dumps(json.loads(first) | {"schema": 99})
    path.write_text("\n".join([newer, *rest, ""]))
    with pytest.raises(DataError, match="newer"):
        read_episode(path)
