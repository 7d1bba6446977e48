"""Check that chance wins no medal, and the standard error of the score at the gold cut-off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.record import Observation
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import round_score
from mlebench.records.audit import Status

if TYPE_CHECKING:
    import pandas as pd

TRIALS, RESAMPLES = 200, 1000
MOST_CHANCE = 0.05
MOST_ROWS = 50_000
"""Larger test sets are not decided by chance, and scoring them often takes long."""


def check_noise(audited: Audited) -> Iterator[Observation]:
    """Random predictions win a medal in at most 5 % of trials."""
    board = audited.board
    if board is None or not audited.has_own_board:
        yield Observation("not applicable", "the board is that of the real data, or there is none")
        return
    if len(audited.good) > MOST_ROWS:
        yield Observation("not applicable", f"more than {MOST_ROWS:,} rows")
        return
    random = np.random.default_rng(0)
    model, whose = _predictions(audited)
    shares = {}
    for make, name in ((_mixed, f"{whose} in random order"), (_uniform, "uniform numbers")):
        scores = [_score(audited, make(audited, model, random)) for _ in range(TRIALS)]
        won = sum(s is not None and board.thresholds.medal(s) is not None for s in scores)
        shares[name] = won
    worst = max(shares, key=shares.__getitem__)
    medals, error = shares[worst], standard_error(audited)
    text = f"{medals} of {TRIALS} submissions win a medal: {worst}"
    text += "" if error is None else f"; standard error of the score at gold: {error:.2g}"
    status: Status = "fail" if medals / TRIALS > MOST_CHANCE else "pass"
    yield Observation(status, text, medals / TRIALS, MOST_CHANCE)


def _predictions(audited: Audited) -> tuple[pd.DataFrame, str]:
    """Predictions of the baseline agent; the gold submission where it has trained no model."""
    found = audited.baseline
    has_all = found is not None and set(audited.good.columns) <= set(found.columns)
    if found is not None and has_all and _score(audited, found) is not None:
        return found, "predictions of the baseline agent"
    return audited.good, "answers"


def _mixed(
    audited: Audited, model: pd.DataFrame, random: np.random.Generator, share: float = 1.0
) -> pd.DataFrame:
    """A submission with this share of its predictions exchanged among each other."""
    order = np.arange(len(model))
    chosen = random.permutation(len(model))[: round(share * len(model))]
    order[np.sort(chosen)] = chosen
    return model.assign(**{name: model[name].to_numpy()[order] for name in audited.targets})


def _uniform(audited: Audited, model: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Uniform random numbers between 0 and 1; refused where these are no predictions."""
    return model.assign(**{name: random.random(len(model)) for name in audited.targets})


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
        table = _mixed(audited, audited.good, np.random.default_rng(0), float(share))
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
