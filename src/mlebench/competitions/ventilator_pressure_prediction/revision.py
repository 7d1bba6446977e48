"""Revision v1.1: every step of a breath has a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    fixes=(Fix("steps of expiration may be empty", "every step has a finite number"),),
    submission=EveryStep(id="id", target="pressure", unscored="u_out"),
)
