"""Verdicts on uploaded bytes: format and ids are known, no answer value is held in memory."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import open_answers, require_prepared, submission_limits
from mlebench.grading.reading import parse_submission

VALID = "Submission is valid."


@dataclass(frozen=True)
class Verdict:
    """What the agent is told, and what the record keeps."""

    is_valid: bool
    text: str
    sha256: str | None
    """Of the file, where somebody wants to know."""


class Validator:
    """Judges submissions to one competition."""

    def __init__(self, competition: LocatedCompetition, *, with_hashes: bool = True) -> None:
        require_prepared(competition)
        self.with_hashes = with_hashes
        self.format = competition.definition.submission
        self.limits = submission_limits(competition)
        # Only the public part is kept: what is not here cannot leak.
        self.keys = self.format.keys(open_answers(competition.answers))

    def judge(self, data: memoryview) -> Verdict:
        """Valid or not, and why not; several threads may ask at once."""
        digest = hashlib.sha256(data).hexdigest() if self.with_hashes else None
        try:
            table = parse_submission(data, "submission.csv", self.limits)
            self.format.check(table, self.keys)
        except InvalidSubmissionError as error:
            return Verdict(False, f"Submission is invalid: {error}", digest)
        return Verdict(True, VALID, digest)


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
