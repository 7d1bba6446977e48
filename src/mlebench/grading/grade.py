"""Grading one submission: read, check and align, score, round, place on the board."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.definition import SCORE_DIGITS
from mlebench.errors import InvalidSubmissionError, NotPreparedError, UsageError
from mlebench.grading.files import is_submission, read_regular_file
from mlebench.grading.reading import Limits, SubmissionTable, parse_submission, read_csv
from mlebench.grading.uncertainty import place, seed_of
from mlebench.records.report import CompetitionReport

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition
    from mlebench.definition import Rounding
    from mlebench.grading.renaming import Renaming
    from mlebench.metrics.spread import StandardError


@dataclass(frozen=True)
class Verdict:
    """A score or a reason: exactly one of the two is set."""

    score: float | None = None
    reason: str | None = None
    sha256: str | None = None
    warnings: tuple[str, ...] = ()
    error: Callable[[int], StandardError] | None = None
    """Computes the standard error of the score from a seed."""


def round_score(score: float, rounding: Rounding = "numpy") -> float:
    """To five digits, as the published grader rounds.

    Python finds the nearest decimal; numpy scales, rounds to a whole number (half to even) and
    scales back. 0.790625 becomes 0.79063 and 0.79062.
    """
    if rounding == "python":
        return round(float(score), SCORE_DIGITS)
    scale = 10.0**SCORE_DIGITS
    scaled = float(score) * scale
    return float(round(scaled)) / scale if math.isfinite(scaled) else scaled


def load_answers(path: Path, texts: Sequence[str] = ()) -> Any:
    """Answers as a table, or a list of objects where they are JSON lines."""
    answers = open_answers(path, texts)
    return list(answers) if path.suffix == ".jsonl" else answers


def open_answers(
    path: Path, texts: Sequence[str] = (), *, columns: Collection[str] | None = None
) -> Any:
    """Like `load_answers`, but JSON lines are read lazily: together they may not fit in memory.

    Args:
        texts: columns whose text is read unchanged.
        columns: the columns of a table to read; all by default.
    """
    from mlebench.tables import JsonLines

    if path.suffix == ".jsonl":
        return JsonLines(path)
    if path.suffix == ".csv":
        return read_csv(path.read_bytes(), texts, columns=columns)[0]
    raise UsageError(f"answers of kind {path.suffix!r} are not known, expected .csv or .jsonl")


def answers_of(competition: LocatedCompetition) -> Any:
    """The answers as `open_answers` returns them, without columns that no score depends on."""
    definition = competition.definition
    columns = definition.answer_columns
    return open_answers(competition.answers, definition.texts, columns=columns)


def submission_limits(competition: LocatedCompetition) -> Limits:
    """Bounds derived from the sample submission, which is public."""
    return Limits.beside(competition.sample_submission)


def judge(path: Path, competition: LocatedCompetition, renaming: Renaming | None = None) -> Verdict:
    """The score of a file, or the reason why it has none; neutral names are mapped back first."""
    require_prepared(competition)
    limits = submission_limits(competition)
    try:
        written = read_regular_file(path, limits.max_bytes)
        data = renaming.restore(written) if renaming else written
    except InvalidSubmissionError as error:
        return Verdict(reason=str(error))
    verdict = judge_bytes(data, path.name, limits, competition)
    return replace(verdict, sha256=hashlib.sha256(written).hexdigest())


def judge_bytes(
    data: bytes, name: str, limits: Limits, competition: LocatedCompetition, answers: Any = None
) -> Verdict:
    """The score of the content of a file, or the reason why it has none.

    Without `answers` they are read, unless the file is refused before.
    """
    definition = competition.definition
    try:
        found = parse_submission(data, name, limits, texts=definition.texts)
        if competition.changes:
            check_strictly(data, found, competition)
        if answers is None:
            answers = answers_of(competition)
        score = definition.score(found.table, answers)
    except InvalidSubmissionError as error:
        return Verdict(reason=str(error))
    rounded = round_score(score.value, definition.rounding)
    return Verdict(score=rounded, warnings=(*found.warnings, *score.warnings), error=score.error)


def validate(path: Path, competition: LocatedCompetition) -> str | None:
    """The reason why a submission cannot be graded, or nothing; never looks at an answer value."""
    require_prepared(competition)
    form, texts = competition.definition.submission, competition.definition.texts
    try:
        limits = submission_limits(competition)
        data = read_regular_file(path, limits.max_bytes)
        found = parse_submission(data, path.name, limits, texts=texts)
        if competition.changes:
            check_strictly(data, found, competition)
        else:
            form.check(found.table, form.keys(answers_of(competition)))
    except InvalidSubmissionError as error:
        return str(error)
    return None


def check_strictly(data: bytes, found: SubmissionTable, competition: LocatedCompetition) -> None:
    """Raise InvalidSubmissionError for everything that is odd: the rule of revision v1.1."""
    from mlebench.grading.strict import SampleRules

    form = competition.definition.submission
    form.check(found.table, form.keys(answers_of(competition)))
    SampleRules.of(competition).check(data, found)


def require_prepared(competition: LocatedCompetition) -> None:
    """Raise NotPreparedError, with the command to run, if the answers are missing."""
    if not competition.answers.is_file():
        raise NotPreparedError(
            f"{competition.id} is not prepared; run: {competition.prepare_command}"
        )


def make_report(
    path: Path | None, competition: LocatedCompetition, verdict: Verdict
) -> CompetitionReport:
    """Place a verdict on the human board."""
    from mlebench.records.manifest import read_manifest

    board = competition.load_leaderboard()
    cuts, score = board.thresholds, verdict.score
    medal = cuts.medal(score)
    uncertainty = None
    if score is not None and verdict.error and verdict.sha256:
        seed = seed_of(competition.id, verdict.sha256)
        uncertainty = place(verdict.error(seed), score, board)
    manifest = read_manifest(competition.folder)
    return CompetitionReport(
        competition_id=competition.id,
        score=score,
        gold_threshold=cuts.gold,
        silver_threshold=cuts.silver,
        bronze_threshold=cuts.bronze,
        median_threshold=cuts.median,
        any_medal=medal is not None,
        gold_medal=medal == "gold",
        silver_medal=medal == "silver",
        bronze_medal=medal == "bronze",
        above_median=cuts.is_above_median(score),
        submission_exists=path is not None and is_submission(path),
        valid_submission=score is not None,
        is_lower_better=cuts.is_lower_better,
        created_at=datetime.now(),
        submission_path=str(path),
        reason=verdict.reason,
        rank=None if score is None else board.rank(score),
        teams=board.teams,
        human_rank=board.human_rank(score),
        teams_beaten=board.teams_beaten(score),
        submission_sha256=verdict.sha256,
        revision=competition.revision,
        is_rehearsal=bool(manifest and manifest.is_rehearsal),
        is_demonstration=competition.definition.complexity == "starter",
        warnings=list(verdict.warnings),
        uncertainty=uncertainty,
    )


def grade_file(
    path: Path | None, competition: LocatedCompetition, renaming: Renaming | None = None
) -> CompetitionReport:
    """The report of a submission, also when there is none or it cannot be scored.

    Args:
        renaming: the map of a run with neutral names.
    """
    if path is None:
        verdict = Verdict(reason="there is no submission")
    elif is_submission(path):
        verdict = judge(path, competition, renaming)
    elif path.is_file():
        verdict = Verdict(reason=f"{path.name} does not end in .csv: it is not a submission")
    else:
        verdict = Verdict(reason=f"{path.name} does not exist or is not a file")
    return make_report(path, competition, verdict)
