"""The log of a run's validation calls, and a copy of the last submission that was valid."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

from mlebench.records.activity import VALIDATIONS, ValidationCall
from mlebench.system.files import write_atomically
from mlebench.validation.validator import FormatVerdict


class ValidationLog:
    """Appends every call to a JSONL file; without a path it only counts.

    Args:
        last_valid: where to keep the last valid submission.
    """

    def __init__(self, path: Path | None = None, *, last_valid: Path | None = None) -> None:
        self.path = path
        self.last_valid = last_valid
        self.calls = 0
        self._start = time.monotonic()
        self._kept_sha256: str | None = None

    def add(self, verdict: FormatVerdict, data: bytes | memoryview, seconds: float) -> None:
        """Log a call; keep the file if it is valid and differs from the one kept."""
        self.calls += 1
        if self.path is not None:
            call = ValidationCall(
                elapsed=round(time.monotonic() - self._start, 3),
                valid=verdict.is_valid,
                reason=None if verdict.is_valid else verdict.text,
                size=len(data),
                sha256=verdict.sha256,
                time=datetime.now(UTC).isoformat(timespec="milliseconds"),
                seconds=round(seconds, 4),
            )
            with self.path.open("ab") as stream:
                stream.write(VALIDATIONS.encode(call))
        if verdict.is_valid and self.last_valid and self._kept_sha256 != verdict.sha256:
            write_atomically(self.last_valid, bytes(data))
            self._kept_sha256 = verdict.sha256
