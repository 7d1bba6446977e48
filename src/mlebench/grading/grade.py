"""Grading one submission: read, check and align, score, round, place on the board."""

from __future__ import annotations

import hashlib
import math
import mmap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.definition import SCORE_DIGITS
from mlebench.errors import InvalidSubmissionError, NotPreparedError, UsageError
from mlebench.grading.memory import kept_memory
from mlebench.grading.plain_csv import read_plain
from mlebench.grading.reading import Limits, parse_sealed, read_submission
from mlebench.grading.sealed import Sealed, sealed
from mlebench.records.report import CompetitionReport

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition
    from mlebench.definition import Rounding


@dataclass(frozen=True)
class Verdict:
    """Score or reason: exactly one of the two is there."""

    score: float | None = None
    reason: str | None = None
    sha256: str | None = None
    warnings: tuple[str, ...] = ()


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


def load_answers(path: Path) -> Any:
    """Answers as a table, or a list of objects where they are JSON lines."""
    answers = open_answers(path)
    return list(answers) if path.suffix == ".jsonl" else answers


def open_answers(path: Path) -> Any:
    """The same, but objects are read while they are walked through: they may fill all memory."""
    from mlebench.tables import JsonLines

    if path.suffix == ".jsonl":
        return JsonLines(path)
    if path.suffix == ".csv":
        return _read_answers(path)
    raise UsageError(f"answers of kind {path.suffix!r} are not known, expected .csv or .jsonl")


def _read_answers(path: Path) -> Any:
    from mlebench.tables import read_at_once, read_table

    table = None
    if path.stat().st_size:
        with path.open("rb") as stream:
            table = read_plain(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    if table is None:
        table = read_at_once(path)
    return read_table(path) if table is None else table


def submission_limits(competition: LocatedCompetition) -> Limits:
    """Bounds taken from the files that are known to be good submissions."""
    files = [competition.answers, competition.sample_submission, competition.gold_submission]
    return Limits.beside(files)


@kept_memory()
def judge(path: Path, competition: LocatedCompetition) -> Verdict:
    """The score of a file, or the reason why it has none."""
    require_prepared(competition)
    limits = submission_limits(competition)
    try:
        with sealed(path, limits.max_bytes) as file, ThreadPoolExecutor(1) as beside:
            hashing = beside.submit(hashlib.sha256, file.data)
            verdict = _judge_bytes(file, path.name, limits, competition)
            return replace(verdict, sha256=hashing.result().hexdigest())
    except InvalidSubmissionError as error:
        return Verdict(reason=str(error))


def _judge_bytes(
    file: Sealed, name: str, limits: Limits, competition: LocatedCompetition
) -> Verdict:
    try:
        table = parse_sealed(file, name, limits)
        definition = competition.definition
        score = definition.score(table, open_answers(competition.answers))
    except InvalidSubmissionError as error:
        return Verdict(reason=str(error))
    rounded = round_score(score.value, definition.rounding)
    return Verdict(score=rounded, warnings=score.warnings)


@kept_memory()
def validate(path: Path, competition: LocatedCompetition) -> str | None:
    """The reason why a submission cannot be graded, or nothing; never looks at an answer value."""
    require_prepared(competition)
    form = competition.definition.submission
    try:
        table = read_submission(path, submission_limits(competition))
        form.check(table, form.keys(open_answers(competition.answers)))
    except InvalidSubmissionError as error:
        return str(error)
    return None


def require_prepared(competition: LocatedCompetition) -> None:
    """Say what to do when the answers are not there."""
    if not competition.answers.is_file():
        raise NotPreparedError(
            f"{competition.id} is not prepared; run: mlebench prepare -c {competition.id}"
            f" --data-dir {competition.folder.root}"
        )


def make_report(path: Path, competition: LocatedCompetition, verdict: Verdict) -> CompetitionReport:
    """Place a verdict on the human board."""
    from mlebench.records.manifest import read_manifest

    board = competition.load_leaderboard()
    cuts, score = board.thresholds, verdict.score
    medal = cuts.medal(score)
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
        submission_exists=path.exists() or path.is_symlink(),
        valid_submission=score is not None,
        is_lower_better=cuts.is_lower_better,
        created_at=datetime.now(),
        submission_path=str(path),
        reason=verdict.reason,
        rank=None if score is None else board.rank(score),
        teams=board.teams,
        human_rank=board.human_rank(score),
        submission_sha256=verdict.sha256,
        is_rehearsal=bool(manifest and manifest.is_rehearsal),
        is_demonstration=competition.definition.complexity == "starter",
        warnings=list(verdict.warnings),
    )


def grade_file(path: Path, competition: LocatedCompetition) -> CompetitionReport:
    """The report of a submission, also when the file is missing or cannot be scored."""
    if not path.exists() and not path.is_symlink():
        return make_report(path, competition, Verdict(reason=f"{path} does not exist"))
    return make_report(path, competition, judge(path, competition))
