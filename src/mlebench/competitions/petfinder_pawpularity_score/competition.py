"""PetFinder Pawpularity: how popular a pet's adoption profile is, judged by its photo."""

import numpy as np
from numpy.typing import NDArray

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import numbers_between
from mlebench.metrics import root_mean_squared_error
from mlebench.recipes import Files, Recipe, TableSplit

rows = RowPerId(id="Id", target="Pawpularity", values=numbers_between(1, 100))


def guesses(count: int) -> NDArray[np.float64]:
    return np.random.default_rng(0).uniform(1, 100, count).round(2)


competition = CompetitionDefinition(
    id="petfinder-pawpularity-score",
    title="PetFinder.my - Pawpularity Contest",
    category="Image Regression",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=25_000,
    prepare=Recipe(TableSplit(rows, sample_value=guesses), Files("train/{}.jpg", rows.id)),
    submission=rows,
    metric=root_mean_squared_error,
    official_sample_score=37.37587,
    faults=(Fault("predictions outside 1 to 100 are refused, although Kaggle allowed them"),),
)
