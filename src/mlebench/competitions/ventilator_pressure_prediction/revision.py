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
)
