"""Revision v1.1: all patients and weeks, each with a value and a confidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.competitions.osic_pulmonary_fibrosis_progression.competition import (
    prepare as prepare_v1,
)
from mlebench.competitions.osic_pulmonary_fibrosis_progression.format import WeeklyForecast
from mlebench.formats import match_ids, require_columns, require_rows
from mlebench.formats.values import finite_numbers
from mlebench.revision import CROWDED_BOARD, Changes, Fix, Noisy, shown_in_train
from mlebench.tables import Splitting, read_table, split_sorted_groups, write_table

if TYPE_CHECKING:
    import pandas as pd


SMALLEST_CONFIDENCE = 70
"""In millilitres; the metric counts a smaller one as this."""


class FullGrid(WeeklyForecast):
    """Like WeeklyForecast, but every week of every patient has finite numbers."""

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        require_columns(submission, [self.id, *self.targets])
        require_rows(submission, len(keys), self.id)
        match_ids(submission[self.id], keys[self.id])
        finite_numbers(submission[list(self.targets)])


def prepare(
    raw: Raw, public: Path, private: Path, *, split: Splitting = split_sorted_groups
) -> None:
    """As v1, with a gold submission: the answers have no value in weeks without a visit."""
    prepare_v1(raw, public, private, split=split)
    sample, answers = read_table(public / "sample_submission.csv"), read_table(private / "test.csv")
    values = answers["FVC"].fillna(sample["FVC"])
    gold = sample.assign(FVC=values, Confidence=SMALLEST_CONFIDENCE)
    write_table(gold, private / "gold_submission.csv")


changes = Changes(
    fixes=(
        Fix(
            "rows that are missing are not scored, so that a file of the easiest weeks can win"
            " gold",
            "a row for each patient and week",
        ),
        Fix("a missing confidence counts as the smallest one", "every cell is a finite number"),
    ),
    flags=(CROWDED_BOARD,),
    prepare=prepare,
    refuses_gaps=True,
    submission=FullGrid(),
    noisy=Noisy(18, "test patients", shown_in_train("visits")),
    passages={
        "an id is not in the sample, a column holds text, or a week that counts stands twice."
        " Keep all rows: … without a score.": (
            "the ids are not those of the sample, each once, or a value is empty, text or"
            " infinite. You do not know which weeks count."
        ),
        "if a `Patient_Week` is not in the sample, if FVC or confidence hold text, or if a"
        " scored week is repeated. … there is no score.": (
            "if the ids are not those of the sample, each once, or if a value is empty, text"
            " or infinite. The scored weeks are secret."
        ),
    },
)
