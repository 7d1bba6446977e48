"""Several validations at once: each verdict is right, each call recorded, nobody waits for ever."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mlebench.catalogue import LocatedCompetition
from mlebench.validation import ValidationServer, application
from mlebench.validation.validator import FormatVerdict, Validator

from .test_server import form, part, post, send, serving

PATIENCE = 20
VALID = (200, {"result": "Submission is valid."})


@pytest.fixture
def sample(competition: LocatedCompetition) -> bytes:
    return competition.sample_submission.read_bytes()


def before_judging(monkeypatch: pytest.MonkeyPatch, wait: Callable[[memoryview], None]) -> None:
    """Let validations wait before they begin."""
    judge = Validator.judge

    def later(self: Validator, data: memoryview) -> FormatVerdict:
        wait(data)
        return judge(self, data)

    monkeypatch.setattr(Validator, "judge", later)


def upload(server: ValidationServer, *files: bytes) -> list[tuple[int, dict[str, str]]]:
    with ThreadPoolExecutor(len(files)) as pool:
        return list(pool.map(lambda data: send(server, post(form(part(data)))), files))


def recorded(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "calls.jsonl").read_text().splitlines()]


def test_two_at_once_are_judged_right_and_both_recorded(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting = threading.Barrier(2)
    before_judging(monkeypatch, lambda data: meeting.wait(PATIENCE) and None)
    with serving(competition, tmp_path, at_once=2) as server:
        good, bad = upload(server, sample, sample + b"extra,True\n")
    assert good == VALID
    assert "rows, expected" in bad[1]["result"]
    assert sorted(call["valid"] for call in recorded(tmp_path)) == [False, True]
    assert (tmp_path / "last.csv").read_bytes() == sample


def test_of_two_valid_ones_the_file_that_is_kept_is_the_last_in_the_record(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting = threading.Barrier(2)
    before_judging(monkeypatch, lambda data: meeting.wait(PATIENCE) and None)
    other = sample.replace(b"False", b"True")
    assert other != sample
    with serving(competition, tmp_path, at_once=2) as server:
        assert upload(server, sample, other) == [VALID, VALID]
    kept = hashlib.sha256((tmp_path / "last.csv").read_bytes()).hexdigest()
    assert [call["sha256"] for call in recorded(tmp_path)][-1] == kept


def test_a_large_file_keeps_other_large_ones_waiting_but_no_small_ones(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "LARGE_FILE_BYTES", len(sample))
    is_begun, may_end = threading.Event(), threading.Event()
    working: list[int] = []

    def wait(data: memoryview) -> None:
        if len(data) > len(sample):
            working.append(len(data))
            is_begun.set()
            may_end.wait(PATIENCE)
            working.remove(len(data))
            assert not working

    before_judging(monkeypatch, wait)
    large = [sample + b"\n" * number for number in (1, 2, 3)]
    with serving(competition, tmp_path, at_once=2) as server, ThreadPoolExecutor(1) as pool:
        uploads = pool.submit(upload, server, *large)
        assert is_begun.wait(PATIENCE)
        assert upload(server, sample) == [VALID]
        assert not uploads.done()
        may_end.set()
        assert uploads.result(PATIENCE) == [VALID] * 3
        assert server.calls == 4


def test_equal_files_are_each_judged_and_recorded(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []
    before_judging(monkeypatch, lambda data: judged.append(len(data)))
    with serving(competition, tmp_path, at_once=4) as server:
        assert upload(server, *[sample] * 8) == [VALID] * 8
        assert server.calls == 8
    assert judged == [len(sample)] * 8
    assert [call["sha256"] for call in recorded(tmp_path)] == [
        hashlib.sha256(sample).hexdigest()
    ] * 8
