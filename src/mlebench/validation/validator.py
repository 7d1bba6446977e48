"""Decide whether uploaded bytes have the right format; no answer value is held in memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import open_answers, require_prepared, submission_limits
from mlebench.grading.reading import parse_submission

VALID = "Submission is valid."


@dataclass(frozen=True)
class FormatVerdict:
    """What the agent is told, and what the log keeps."""

    is_valid: bool
    text: str
    sha256: str | None
    """Of the file; none if the validator was made without hashes."""


class Validator:
    """Judges the format of submissions to one competition.

    Args:
        with_hashes: whether verdicts carry the hash of the file.
    """

    def __init__(self, competition: LocatedCompetition, *, with_hashes: bool = True) -> None:
        require_prepared(competition)
        self.with_hashes = with_hashes
        self.format = competition.definition.submission
        self.limits = submission_limits(competition)
        # Only the public part of the answers is kept: other values cannot leak.
        self.keys = self.format.keys(open_answers(competition.answers))

    def judge(self, data: memoryview) -> FormatVerdict:
        """Whether the file is valid, and why not; may be called from several threads."""
        digest = hashlib.sha256(data).hexdigest() if self.with_hashes else None
        try:
            table = parse_submission(data, "submission.csv", self.limits).table
            self.format.check(table, self.keys)
        except InvalidSubmissionError as error:
            return FormatVerdict(False, f"Submission is invalid: {error}", digest)
        return FormatVerdict(True, VALID, digest)
