"""Checks of the board: is it consistent, attainable and apart from chance?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.record import Observation, Status
from mlebench.checking.board import check_board as check_consistency
from mlebench.checking.board import check_direction
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import round_score

if TYPE_CHECKING:
    import pandas as pd

FEW_TEAMS = 20
TRIALS, RESAMPLES = 200, 1000
MOST_CHANCE = 0.05
SECONDS_ROWS = 50_000
"""Larger test sets are not decided by chance, and scoring them often takes long."""


def check_board(audited: Audited) -> Iterator[Observation]:
    """Direction, order of scores, distinct cut-offs; the best human and bronze are in reach."""
    for check in (*check_consistency(audited), *check_direction(audited)):
        if check.state != "ok":
            yield Observation("fail", check.reason)
    board, gold = audited.board, audited.gold_verdict.score
    if board is None:
        return
    cuts = board.thresholds
    if len({cuts.gold, cuts.silver, cuts.bronze}) < 3 and board.teams >= FEW_TEAMS:
        yield Observation("warn", "two medals have one cut-off", cuts.bronze, cuts.gold)
    if cuts.bronze == cuts.median:
        yield Observation("warn", "bronze is the median", cuts.bronze, cuts.median)
    if board.teams < FEW_TEAMS:
        yield Observation("warn", "the board has few teams", board.teams, FEW_TEAMS)
    if audited.is_better(board.scores[0], gold):
        text = "the best human score is better than the gold submission"
        yield Observation("fail", text, gold, board.scores[0])
    sample = audited.sample_verdict.score
    if not audited.has_own_board:
        sample = audited.competition.definition.official_sample_score
    if sample is not None and cuts.medal(sample):
        yield Observation("fail", "the sample submission wins a medal", sample, cuts.bronze)
    yield Observation("pass", f"{board.teams:,} teams", board.teams)


def check_noise(audited: Audited) -> Iterator[Observation]:
    """Random predictions win a medal in at most 5 % of trials."""
    board = audited.board
    if board is None or not audited.has_own_board:
        yield Observation("not applicable", "the board is that of the real data, or there is none")
        return
    if len(audited.good) > SECONDS_ROWS:
        yield Observation("not applicable", f"more than {SECONDS_ROWS:,} rows")
        return
    random = np.random.default_rng(0)
    medals = 0
    for make in (_mixed, _uniform):
        scores = [_score(audited, make(audited, random)) for _ in range(TRIALS)]
        won = sum(s is not None and board.thresholds.medal(s) is not None for s in scores)
        medals = max(medals, won)
    error = standard_error(audited)
    text = f"{medals} of {TRIALS} random predictions win a medal"
    text += "" if error is None else f"; standard error of the score at gold: {error:.2g}"
    status: Status = "fail" if medals / TRIALS > MOST_CHANCE else "pass"
    yield Observation(status, text, medals / TRIALS, MOST_CHANCE)


def _mixed(audited: Audited, random: np.random.Generator, share: float = 1.0) -> pd.DataFrame:
    """The good submission with this share of its predictions exchanged among each other."""
    good = audited.good
    order = np.arange(len(good))
    chosen = random.permutation(len(good))[: round(share * len(good))]
    order[np.sort(chosen)] = chosen
    return good.assign(**{name: good[name].to_numpy()[order] for name in audited.targets})


def _uniform(audited: Audited, random: np.random.Generator) -> pd.DataFrame:
    """Uniform random numbers between 0 and 1; refused where these are no predictions."""
    good = audited.good
    return good.assign(**{name: random.random(len(good)) for name in audited.targets})


def _score(audited: Audited, table: pd.DataFrame) -> float | None:
    definition = audited.competition.definition
    try:
        return round_score(definition.score(table, audited.answers).value, definition.rounding)
    except InvalidSubmissionError:
        return None


def standard_error(audited: Audited) -> float | None:
    """Bootstrap over test rows of a submission that scores about as the gold cut-off.

    None where the format does not pair arrays, which cannot be resampled by row.
    """
    board, definition = audited.board, audited.competition.definition
    shares = np.linspace(0, 1, 21)
    for share in shares if board else ():
        table = _mixed(audited, np.random.default_rng(0), float(share))
        score = _score(audited, table)
        if score is None or (board and board.thresholds.medal(score) != "gold"):
            break
        level = table
    else:
        return None
    if share == 0:
        return None
    aligned = definition.submission.align(level, audited.answers)
    truth, prediction = aligned.truth, aligned.prediction
    if not (isinstance(truth, np.ndarray) and isinstance(prediction, np.ndarray)):
        return None
    random, found = np.random.default_rng(0), []
    for _ in range(RESAMPLES):
        rows = random.integers(0, len(truth), len(truth))
        try:
            found.append(float(definition.metric(truth[rows], prediction[rows])))
        except (InvalidSubmissionError, ValueError):
            continue  # a resample without one of the classes
    return float(np.std(found)) if len(found) > RESAMPLES // 2 else None
