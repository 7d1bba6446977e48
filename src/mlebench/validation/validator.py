"""Decide whether uploaded bytes have the right format; no answer value is held in memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import answers_of, require_prepared, submission_limits
from mlebench.grading.reading import SubmissionTable, parse_submission

if TYPE_CHECKING:
    from mlebench.grading.renaming import Renaming

VALID = "Submission is valid."


@dataclass(frozen=True)
class FormatVerdict:
    """The answer for the agent, and what the log keeps."""

    is_valid: bool
    text: str
    sha256: str | None
    """Of the file; None if the validator was created without hashes."""


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
        renaming: of a run with neutral names; reasons then contain no other names.
    """

    def __init__(
        self,
        competition: LocatedCompetition,
        *,
        with_hashes: bool = True,
        renaming: Renaming | None = None,
    ) -> None:
        # Imported here, because it imports numpy, which commands such as `status` do not need.
        from mlebench.grading.strict import SampleRules

        require_prepared(competition)
        self.renaming = renaming
        self.with_hashes = with_hashes
        self.format = competition.definition.submission
        self.texts = competition.definition.texts
        self.limits = submission_limits(competition)
        # Only the public part of the answers is kept: other values cannot leak.
        self.keys = self.format.keys(answers_of(competition))
        has_sample = competition.sample_submission.is_file()
        self.rules = SampleRules.of(competition) if has_sample else None

    def judge(self, data: memoryview) -> FormatVerdict:
        """Whether the file is valid, and why not; may be called from several threads."""
        digest = hashlib.sha256(data).hexdigest() if self.with_hashes else None
        try:
            self.parse(self.renaming.restore(bytes(data)) if self.renaming else bytes(data))
        except InvalidSubmissionError as error:
            reason = self.renaming.hide(str(error)) if self.renaming else str(error)
            return FormatVerdict(False, f"Submission is invalid: {reason}", digest)
        return FormatVerdict(True, VALID, digest)

    def parse(self, text: bytes) -> SubmissionTable:
        """The table of a file; raises InvalidSubmissionError where it is not valid."""
        found = parse_submission(text, "submission.csv", self.limits, texts=self.texts)
        self.format.check(found.table, self.keys)
        if self.rules:
            self.rules.check(text, found)
        return found
