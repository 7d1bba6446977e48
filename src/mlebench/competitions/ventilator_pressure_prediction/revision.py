"""Revision v1.1: every step of a breath has a number, and ids do not follow from the split."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mlebench.competitions.ventilator_pressure_prediction.competition import prepare
from mlebench.competitions.ventilator_pressure_prediction.format import StepPerId
from mlebench.formats.values import finite_numbers
from mlebench.revision import Changes, Fix

if TYPE_CHECKING:
    import pandas as pd


class EveryStep(StepPerId):
    """Like StepPerId, but steps that are not scored have finite numbers, too."""

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        super().check(submission, keys)
        finite_numbers(submission[self.targets])


changes = Changes(
    fixes=(
        Fix("steps of expiration may be empty", "every step has a finite number"),
        Fix(
            "test breaths are numbered in the order of the split",
            "test breaths are numbered in the order of their breath_id",
        ),
    ),
    comparability="near",
    prepare=partial(prepare, is_sorted=True),
    refuses_gaps=True,
    submission=EveryStep(id="id", target="pressure", unscored="u_out"),
    passages={
        "Breaths are split at random … random order;": (
            "Breaths are split at random; those of train are in random order, those of the"
            " test in the order of `breath_id`;"
        ),
        "assigned at random to train or test and shuffled.": (
            "assigned at random to train or test; those of train are shuffled, those of the"
            " test are in the order of `breath_id`."
        ),
        "or a value in a scored row is empty, text or infinite. Rows with `u_out` = 1 must be"
        " there, but their values are ignored; leave no words in them.": (
            "or a value is empty, text or infinite. Rows with `u_out` = 1 need a number, too,"
            " although they are not scored."
        ),
        "or if the value of a scored row is empty, text or infinite.": (
            "or if a value is empty, text or infinite."
        ),
    },
)
