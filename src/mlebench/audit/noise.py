"""Check that chance wins no medal, and the standard error of the score at the gold cut-off."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.record import Observation
from mlebench.audit.variations import mixed
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import round_score

if TYPE_CHECKING:
    import pandas as pd

TRIALS, RESAMPLES = 200, 1000
MOST_CHANCE = 0.05
MOST_ROWS = 50_000
"""Chance does not decide larger test sets, and scoring them hundreds of times takes long."""


def check_noise(audited: Audited) -> Iterator[Observation]:
    """Random predictions win a medal in at most 5 % of trials."""
    if audited.board is None or not audited.has_own_board:
        yield Observation("not applicable", "the board is that of the real data, or there is none")
        return
    if len(audited.good) > MOST_ROWS:
        yield Observation("not applicable", f"more than {MOST_ROWS:,} rows")
        return
    random = np.random.default_rng(0)
    model, whose = _predictions(audited)
    won = {}
    for make, name in ((mixed, f"{whose} in random order"), (_uniform, "uniform numbers")):
        tables = (make(model, audited.targets, random) for _ in range(TRIALS))
        won[name] = sum(_medal(audited, table) is not None for table in tables)
    worst = max(won, key=won.__getitem__)
    share, error = won[worst] / TRIALS, standard_error(audited)
    text = f"{won[worst]} of {TRIALS} submissions win a medal: {worst}"
    text += "" if error is None else f"; standard error of the score at gold: {error:.2g}"
    yield Observation("fail" if share > MOST_CHANCE else "pass", text, share, MOST_CHANCE)


def _predictions(audited: Audited) -> tuple[pd.DataFrame, str]:
    """Predictions of the baseline agent; the gold submission where it has trained no model."""
    found = audited.baseline
    has_all = found is not None and set(audited.good.columns) <= set(found.columns)
    if found is not None and has_all and _score(audited, found) is not None:
        return found, "predictions of the baseline agent"
    return audited.good, "answers"


def _uniform(model: pd.DataFrame, targets: list[str], random: np.random.Generator) -> pd.DataFrame:
    """Uniform random numbers between 0 and 1; refused where these are no predictions."""
    return model.assign(**{name: random.random(len(model)) for name in targets})


def _score(audited: Audited, table: pd.DataFrame) -> float | None:
    definition = audited.competition.definition
    try:
        return round_score(definition.score(table, audited.answers).value, definition.rounding)
    except InvalidSubmissionError:
        return None


def _medal(audited: Audited, table: pd.DataFrame) -> str | None:
    score = _score(audited, table)
    return None if score is None or not audited.board else audited.board.thresholds.medal(score)


def standard_error(audited: Audited) -> float | None:
    """Bootstrap over test rows of a submission that scores about as the gold cut-off.

    None where the format does not pair arrays, which cannot be resampled by row.
    """
    definition, shares = audited.competition.definition, np.linspace(0, 1, 21)
    tables = (
        mixed(audited.good, audited.targets, np.random.default_rng(0), share) for share in shares
    )
    golden = list(takewhile(lambda table: _medal(audited, table) == "gold", tables))
    if not 0 < len(golden) < len(shares):
        return None
    aligned = definition.submission.align(golden[-1], audited.answers)
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
    # A correlation with a column that is constant in a resample is not a number.
    known = [score for score in found if np.isfinite(score)]
    return float(np.std(known)) if len(known) > RESAMPLES // 2 else None
