"""Verdicts on submissions in memory."""

from __future__ import annotations

from mlebench.catalogue import LocatedCompetition
from mlebench.grading.grade import Verdict, judge_bytes, submission_limits


def verdict_on(text: bytes, competition: LocatedCompetition) -> Verdict:
    return judge_bytes(text, "submission.csv", submission_limits(competition), competition)
