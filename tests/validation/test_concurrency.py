"""Several validations at once: each verdict is right, each call recorded, nobody waits for ever."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mlebench.catalogue import LocatedCompetition
from mlebench.http import HttpReply, HttpRequest, Spool, Upload
from mlebench.system.files import write_all
from mlebench.validation import application
from mlebench.validation.application import ValidationApplication
from mlebench.validation.judges import Judged, answer
from mlebench.validation.log import ValidationLog
from mlebench.validation.validator import Validator

from .test_server import BOUNDARY, form, part

PATIENCE = 20
VALID = "Submission is valid."
Waiting = Callable[[int], None]


class ThreadJudge:
    """Judges in a thread, after waiting: so that a test decides what happens at once."""

    def __init__(self, validator: Validator, wait: Waiting) -> None:
        self.validator, self.wait = validator, wait

    async def judge(self, upload: Upload, content_type: str) -> Judged:
        return await asyncio.to_thread(self._judge, upload, content_type)

    def _judge(self, upload: Upload, content_type: str) -> Judged:
        self.wait(upload.size)
        return answer(self.validator, upload.file, upload.size, content_type).judged


class Served:
    """An application with a log, and uploads to it."""

    def __init__(
        self, competition: LocatedCompetition, folder: Path, wait: Waiting, at_once: int = 2
    ) -> None:
        self.folder = folder
        self.log = ValidationLog(folder / "calls.jsonl", last_valid=folder / "last.csv")
        validator = Validator(competition)
        self.application = ValidationApplication(
            [ThreadJudge(validator, wait) for _ in range(at_once)], self.log, per_minute=None
        )

    async def upload(self, data: bytes) -> str:
        body = form(part(data))
        kind = f"multipart/form-data; boundary={BOUNDARY.decode()}"
        with Spool(self.folder).file_for(len(body)) as upload:
            write_all(upload.file, body)
            request = HttpRequest(
                "POST", "/validate", {"content-type": kind}, bytearray(), upload=upload
            )
            reply = await self.application(request)
        assert isinstance(reply, HttpReply)
        return str(reply.data["result"])

    def upload_all(self, *files: bytes) -> list[str]:
        async def run() -> list[str]:
            return await asyncio.gather(*map(self.upload, files))

        return asyncio.run(run())

    @property
    def recorded(self) -> list[dict[str, object]]:
        lines = (self.folder / "calls.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]


def test_two_at_once_are_judged_right_and_both_recorded(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path
) -> None:
    meeting = threading.Barrier(2)
    served = Served(competition, tmp_path, lambda size: meeting.wait(PATIENCE) and None)
    good, bad = served.upload_all(sample, sample + b"extra,True\n")
    assert good == VALID
    assert "rows, expected" in bad
    assert sorted(call["valid"] for call in served.recorded) == [False, True]
    assert (tmp_path / "last.csv").read_bytes() == sample


def test_of_two_valid_ones_the_file_that_is_kept_is_the_last_in_the_record(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path
) -> None:
    meeting = threading.Barrier(2)
    other = sample.replace(b"False", b"True")
    assert other != sample
    served = Served(competition, tmp_path, lambda size: meeting.wait(PATIENCE) and None)
    assert served.upload_all(sample, other) == [VALID, VALID]
    kept = hashlib.sha256((tmp_path / "last.csv").read_bytes()).hexdigest()
    assert [call["sha256"] for call in served.recorded][-1] == kept


def test_a_large_file_keeps_other_large_ones_waiting_but_no_small_ones(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = len(form(part(sample)))
    monkeypatch.setattr(application, "LARGE_FILE_BYTES", small)
    may_end = threading.Event()
    working: list[int] = []

    def wait(size: int) -> None:
        if size > small:
            working.append(size)
            assert len(working) == 1
            assert may_end.wait(PATIENCE)
            working.remove(size)

    served = Served(competition, tmp_path, wait)

    async def run() -> None:
        large = [
            asyncio.create_task(served.upload(sample + b"\n" * number)) for number in (1, 2, 3)
        ]
        while not working:
            await asyncio.sleep(0.01)
        assert await served.upload(sample) == VALID
        assert not any(task.done() for task in large)
        may_end.set()
        await asyncio.gather(*large)

    asyncio.run(run())
    assert served.log.calls == 4


def test_equal_files_are_each_judged_and_recorded(
    competition: LocatedCompetition, sample: bytes, tmp_path: Path
) -> None:
    judged: list[int] = []
    served = Served(competition, tmp_path, judged.append, at_once=4)
    assert served.upload_all(*[sample] * 8) == [VALID] * 8
    assert served.log.calls == 8
    assert judged == [len(form(part(sample)))] * 8
    assert [call["sha256"] for call in served.recorded] == [hashlib.sha256(sample).hexdigest()] * 8
