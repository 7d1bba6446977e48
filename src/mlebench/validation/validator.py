"""Decide whether uploaded bytes have the right format; no answer value is held in memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import open_answers, require_prepared, submission_limits
from mlebench.grading.reading import parse_submission

if TYPE_CHECKING:
    from mlebench.grading.strict import SampleRules

VALID = "Submission is valid."


@dataclass(frozen=True)
class FormatVerdict:
    """What the agent is told, and what the log keeps."""

    is_valid: bool
    text: str
    sha256: str | None
    """Of the file; none if the validator was made without hashes."""


def warm_up() -> None:
    """Judge a constant file, so that children find pandas imported and initialised."""
    from mlebench.formats import RowPerId
    from mlebench.grading.strict import SampleRules

    form = RowPerId("id", "x")
    for ids in (b"1", b"a"):
        text = b"id,x\n%b,0.5\n%b2,0.5\n" % (ids, ids)
        found = parse_submission(text, "sample.csv")
        form.check(found.table, form.keys(found.table))
        SampleRules.from_sample(text, found, form).check(text, found)


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
        self.rules = self._rules(competition.sample_submission)

    def judge(self, data: memoryview) -> FormatVerdict:
        """Whether the file is valid, and why not; may be called from several threads."""
        digest = hashlib.sha256(data).hexdigest() if self.with_hashes else None
        try:
            text = bytes(data)
            found = parse_submission(text, "submission.csv", self.limits)
            self.format.check(found.table, self.keys)
            if self.rules:
                self.rules.check(text, found)
        except InvalidSubmissionError as error:
            return FormatVerdict(False, f"Submission is invalid: {error}", digest)
        return FormatVerdict(True, VALID, digest)

    def _rules(self, sample: Path) -> SampleRules | None:
        if not sample.is_file():
            return None
        # Imported here, because it imports numpy, which commands such as `status` do not need.
        from mlebench.grading.strict import SampleRules

        text = sample.read_bytes()
        return SampleRules.from_sample(text, parse_submission(text, sample.name), self.format)
