"""Checks that sample and gold are valid, and that validation refuses what grading refuses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mlebench.audit.examined import Examined
from mlebench.audit.variations import broken
from mlebench.doctor.check import Check
from mlebench.grading.grade import Verdict, validate


def check_sample(examined: Examined) -> Iterator[Check]:
    """Grading and validation accept the sample submission, and it is no better than gold."""
    competition, verdict = examined.competition, examined.sample_verdict
    fail, undefined = partial(Check, "sample", "fail"), _is_undefined(verdict)
    if verdict.score is None and not undefined:
        yield fail(f"the sample submission is rejected: {verdict.reason}")
    refusal = validate(competition.sample_submission, competition)
    if refusal and verdict.score is not None:
        yield fail(f"validation rejects the sample submission: {refusal}")
    if not examined.targets:
        predicted = ", ".join(competition.definition.submission.targets)
        yield fail(f"the sample submission has none of the predicted columns: {predicted}")
    if examined.is_better(verdict.score, examined.gold_verdict.score):
        gold = examined.gold_verdict.score
        yield fail(f"the sample submission scores {verdict.score}, better than gold: {gold}")
    found = "has no score, as a constant may" if undefined else f"scores {verdict.score}"
    yield Check("sample", "ok", f"{len(examined.sample):,} rows; {found}")


def check_gold(examined: Examined) -> Iterator[Check]:
    """Grading accepts the gold submission; the audit's `oracle` looks at its score."""
    verdict = examined.gold_verdict
    if verdict.score is None:
        yield Check("gold", "fail", f"the gold submission is rejected: {verdict.reason}")
    yield Check("gold", "ok", f"scores {verdict.score}")


def check_broken(examined: Examined) -> Iterator[Check]:
    """Submissions that are broken in one place are rejected by validation, too."""
    kinds = []
    for kind, table in broken(examined):
        words = kind.replace("_", " ")
        kinds.append(words)
        # Whether cells are empty is a matter of values, which validation need not look at.
        if kind != "nan" and examined.refusal_of(table) is None:
            yield Check("broken", "fail", f"validation accepts a submission with a {words}")
    yield Check("broken", "ok", f"rejected: {', '.join(kinds)}")


def _is_undefined(verdict: Verdict) -> bool:
    """A well-formed sample may have no score: a correlation with a constant, for example."""
    return "expected a finite number" in (verdict.reason or "")
