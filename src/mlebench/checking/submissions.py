"""Checks that the sample is valid, gold wins, trivial submissions do not, and broken ones fail."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from mlebench.checking.examined import Examined
from mlebench.checking.variations import broken, constant, shuffled
from mlebench.doctor.check import Check
from mlebench.grading.grade import Verdict, validate


def check_sample(examined: Examined) -> Iterator[Check]:
    """Grading and validation accept the sample submission."""
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
    found = "has no score, as a constant may" if undefined else f"scores {verdict.score}"
    yield Check("sample", "ok", f"{len(examined.sample):,} rows; {found}")


def check_gold(examined: Examined) -> Iterator[Check]:
    """The gold submission is valid, scores best and wins gold."""
    fail, verdict, board = partial(Check, "gold", "fail"), examined.gold_verdict, examined.board
    sample = examined.sample_verdict.score
    if verdict.score is None:
        yield fail(f"the gold submission is rejected: {verdict.reason}")
    elif board and board.thresholds.medal(verdict.score) != "gold":
        yield fail(
            f"the gold submission scores {verdict.score} and wins no gold medal, which takes"
            f" {board.thresholds.gold:g}",
            "check answers, metric and leaderboard.json",
        )
    if examined.is_better(sample, verdict.score):
        yield fail(f"the sample submission scores {sample}, better than gold: {verdict.score}")
    yield Check("gold", "ok", f"scores {verdict.score}")


def check_trivial(examined: Examined) -> Iterator[Check]:
    """Submissions that need no model win no medal and score worse than the answers."""
    gold, board = examined.gold_verdict.score, examined.board
    if len(examined.good[examined.targets].drop_duplicates()) < 2:
        yield Check("trivial", "ok", "not checked: all rows have one answer")
        return
    scores = {
        "the sample submission": examined.sample_verdict.score,
        "one constant prediction": examined.verdict_on(constant(examined)).score,
        "the answers in a random order": examined.verdict_on(shuffled(examined)).score,
    }
    for name, score in scores.items():
        if score is None:
            continue
        if not examined.is_better(gold, score):
            reason = f"{name} scores {score:g}, as good as the gold submission"
            yield Check("trivial", "fail", reason, "is there more than one answer to predict?")
        elif board and examined.has_own_board and (medal := board.thresholds.medal(score)):
            reason = f"{name} scores {score:g} and wins a {medal} medal"
            yield Check("trivial", "fail", reason, "check the direction and the board's scores")
        elif board and examined.has_own_board and board.thresholds.is_above_median(score):
            reason = f"{name} scores {score:g}, above the median of the board"
            yield Check("trivial", "warn", reason, "is the board the one of this data?")
    shown = ", ".join(f"{score:g}" for score in scores.values() if score is not None) or "nothing"
    apart = "" if examined.has_own_board else "; the board is that of the real data"
    yield Check("trivial", "ok", f"sample, constant and random order score {shown}{apart}")


def check_broken(examined: Examined) -> Iterator[Check]:
    """Submissions that are broken in one place are rejected by grading and by validation."""
    kinds = []
    for kind, table in broken(examined):
        words = kind.replace("_", " ")
        kinds.append(words)
        if examined.verdict_on(table).score is not None:
            yield Check("broken", "fail", f"a submission with a {words} is accepted")
        elif kind != "nan" and examined.refusal_of(table) is None:
            yield Check("broken", "fail", f"validation accepts a submission with a {words}")
    yield Check("broken", "ok", f"rejected: {', '.join(kinds)}")


def _is_undefined(verdict: Verdict) -> bool:
    """A well-formed sample may have no score: a correlation with a constant, for example."""
    return "expected a finite number" in (verdict.reason or "")
