"""Automated Essay Scoring 2.0: the grade, 1 to 6, that readers gave a student's essay."""

import numpy as np
from numpy.typing import NDArray

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import signed_whole_numbers
from mlebench.metrics import quadratic_kappa
from mlebench.recipes import TableSplit

rows = RowPerId(id="essay_id", target="score", values=signed_whole_numbers)


def guesses(count: int) -> NDArray[np.int64]:
    return np.random.RandomState(42).randint(1, 7, size=count)


competition = CompetitionDefinition(
    id="learning-agency-lab-automated-essay-scoring-2",
    title="Learning Agency Lab - Automated Essay Scoring 2.0",
    category="Text Classification",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=50_000,
    prepare=TableSplit(rows, sample_value=guesses, answers="answers.csv"),
    submission=rows,
    metric=quadratic_kappa,
    answers="private/answers.csv",
    official_sample_score=0.01323,
    faults=(
        Fault("kappa weighs labels by their place among those found, not by their value"),
        Fault("scores outside 1 to 6 are accepted as further labels"),
    ),
)
