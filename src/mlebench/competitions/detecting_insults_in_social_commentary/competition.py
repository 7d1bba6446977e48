"""Detecting Insults in Social Commentary: whether a comment insults a participant."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerSortedKey, match_ids
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.formats.matching import Order


class RowPerComment(RowPerSortedKey):
    """The text is the key; where it repeats, the order of an unstable sort decides the pairs."""

    def _order(self, submission: pd.DataFrame, keys: pd.DataFrame) -> Order:
        match_ids(submission[self.id], keys[self.id])
        return super()._order(submission, keys)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    gold = write_labelled(raw, public, private)
    write_table(gold.drop(columns="Insult"), public / "test.csv")
    write_table(gold.assign(Insult=0), public / "sample_submission_null.csv")


def write_labelled(raw: Raw, public: Path, private: Path) -> pd.DataFrame:
    """Write everything but the two public tables of the test; returns its comments and labels."""
    labelled = raw / "test_with_solutions.csv"
    copy_file(raw / "train.csv", public / "train.csv")
    copy_file(labelled, private / "test.csv")
    gold = read_table(labelled)[["Insult", "Date", "Comment"]]
    write_table(gold, private / "gold_submission.csv")
    return gold


competition = CompetitionDefinition(
    id="detecting-insults-in-social-commentary",
    title="Detecting Insults in Social Commentary",
    category="Text Classification",
    complexity="low",
    awards_medals=True,
    prize_usd=10_000,
    dataset_gb=0.002,
    prepare=prepare,
    submission=RowPerComment(id="Comment", target="Insult", values=probabilities),
    metric=roc_auc,
    sample_submission="public/sample_submission_null.csv",
    gold_submission="private/gold_submission.csv",
    official_sample_score=0.5,
    faults=(Fault("the text is the key although comments repeat"),),
)
