"""The log of a run's validation calls, and a copy of the last submission that was valid."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

from mlebench.http import Upload
from mlebench.records.activity import VALIDATIONS, ValidationCall
from mlebench.system.files import atomic_file
from mlebench.validation.judges import Judged

COUNTER_BYTES = 8


def read_counter(file: int) -> int:
    """The number of calls in a counter file; 0 in an empty one."""
    return int.from_bytes(os.pread(file, COUNTER_BYTES, 0), "little")


class ValidationLog:
    """Appends every call to a JSONL file; without a path it only counts.

    Args:
        last_valid: where to keep the last valid submission.
        start: when the run began, by the monotonic clock.
        counter: a file that has the number of calls at any time, also after a crash.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        last_valid: Path | None = None,
        start: float | None = None,
        counter: int | None = None,
    ) -> None:
        self.path = path
        self.last_valid = last_valid
        self.counter = counter
        self.calls = read_counter(counter) if counter is not None else 0
        self._start = time.monotonic() if start is None else start
        self._kept_sha256: str | None = None

    def add(self, judged: Judged, upload: Upload, seconds: float) -> None:
        """Log a call; keep the file if it is valid and differs from the one kept."""
        self.calls += 1
        if self.counter is not None:
            os.pwrite(self.counter, self.calls.to_bytes(COUNTER_BYTES, "little"), 0)
        verdict = judged.verdict
        if self.path is not None:
            call = ValidationCall(
                elapsed=round(time.monotonic() - self._start, 3),
                valid=verdict.is_valid,
                reason=None if verdict.is_valid else verdict.text,
                size=judged.size or upload.size,
                sha256=verdict.sha256,
                time=datetime.now(UTC).isoformat(timespec="milliseconds"),
                seconds=round(seconds, 4),
            )
            with self.path.open("ab") as stream:
                stream.write(VALIDATIONS.encode(call))
        if verdict.is_valid and self.last_valid and self._kept_sha256 != verdict.sha256:
            with atomic_file(self.last_valid, is_durable=False) as target:
                upload.copy_to(target.fileno(), judged.start, judged.size)
            self._kept_sha256 = verdict.sha256
