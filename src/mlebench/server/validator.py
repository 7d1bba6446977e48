"""Verdicts on uploaded bytes: format and ids are known, no answer value is held in memory."""

from __future__ import annotations

import hashlib
import json
import time
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import open_answers, require_prepared, submission_limits
from mlebench.grading.reading import parse_submission
from mlebench.registry import Competition

REMEMBERED_BYTES = 64 << 20
GLIMPSE_BYTES = 256
VALID = "Submission is valid."


@dataclass(frozen=True)
class Verdict:
    """What the agent is told, and what the record keeps."""

    is_valid: bool
    text: str
    sha256: str | None
    """Of the file, where somebody wants to know."""


Glimpse = tuple[int, bytes, bytes, bytes]


def _glimpse(data: memoryview) -> Glimpse:
    """Enough of the bytes to tell most uploads apart without reading them."""
    middle = len(data) // 2
    return (
        len(data),
        bytes(data[:GLIMPSE_BYTES]),
        bytes(data[middle : middle + GLIMPSE_BYTES]),
        bytes(data[-GLIMPSE_BYTES:]),
    )


def _is_same(seen: bytes, data: memoryview) -> bool:
    """Equal bytes, without a copy where the view lies in a bytearray."""
    if len(seen) != len(data):
        return False
    whole = data.obj
    if isinstance(whole, bytearray):
        return whole.startswith(seen, whole.find(data[:GLIMPSE_BYTES]))
    return seen == bytes(data)


class Validator:
    """Judges submissions to one competition; equal bytes are judged once."""

    def __init__(self, competition: Competition, *, with_hashes: bool = True) -> None:
        require_prepared(competition)
        self.with_hashes = with_hashes
        self.format = competition.declaration.submission
        self.limits = submission_limits(competition)
        # Only the public part is kept: what is not here cannot leak.
        self.keys = self.format.keys(open_answers(competition.answers))
        self._recent: OrderedDict[Glimpse, list[tuple[bytes, Verdict]]] = OrderedDict()
        self._kept_bytes = 0

    def known(self, data: memoryview) -> Verdict | None:
        """The verdict on bytes that were judged before; comparing is faster than hashing."""
        for seen, verdict in self._recent.get(_glimpse(data), ()):
            # Through the buffer behind it: views are compared one element at a time.
            if _is_same(seen, data):
                return verdict
        return None

    def judge(self, data: memoryview) -> Verdict:
        """Valid or not, and why not."""
        whole = bytes(data)
        digest = hashlib.sha256(whole).hexdigest() if self.with_hashes else None
        try:
            table = parse_submission(whole, "submission.csv", self.limits)
            self.format.check(table, self.keys)
            verdict = Verdict(True, VALID, digest)
        except InvalidSubmissionError as error:
            verdict = Verdict(False, f"Submission is invalid: {error}", digest)
        self._remember(whole, verdict)
        return verdict

    def _remember(self, whole: bytes, verdict: Verdict) -> None:
        if len(whole) <= REMEMBERED_BYTES:
            self._recent.setdefault(_glimpse(memoryview(whole)), []).append((whole, verdict))
            self._kept_bytes += len(whole)
        while self._kept_bytes > REMEMBERED_BYTES:
            _, forgotten = self._recent.popitem(last=False)
            self._kept_bytes -= sum(len(seen) for seen, _ in forgotten)


class Record:
    """Every call in the run's folder, and the last submission that was valid."""

    def __init__(self, path: Path | None, last_valid: Path | None) -> None:
        self.path = path
        self.last_valid = last_valid
        self.calls = 0
        self._start = time.monotonic()
        self._kept: str | None = None

    def add(self, verdict: Verdict, data: bytes | memoryview, seconds: float) -> None:
        """Keep a verdict; the file is written only when it differs from the one kept."""
        self.calls += 1
        if self.path is not None:
            line = {
                "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "elapsed": round(time.monotonic() - self._start, 3),
                "seconds": round(seconds, 4),
                "size": len(data),
                "sha256": verdict.sha256,
                "valid": verdict.is_valid,
                "reason": None if verdict.is_valid else verdict.text,
            }
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
        if verdict.is_valid and self.last_valid is not None and self._kept != verdict.sha256:
            part = self.last_valid.with_name(f".{self.last_valid.name}.part")
            part.write_bytes(data)
            part.replace(self.last_valid)
            self._kept = verdict.sha256
