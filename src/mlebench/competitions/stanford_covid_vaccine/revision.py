"""Revision v1.1: the base-pair probabilities are public, and rows are matched by id."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.competitions.stanford_covid_vaccine.format import KeptRows
from mlebench.competitions.stanford_covid_vaccine.prepare import TARGETS
from mlebench.competitions.stanford_covid_vaccine.prepare import prepare as prepare_v1
from mlebench.formats import match_ids, require_columns, require_rows
from mlebench.revision import EASIER_TEST, Changes, Fix

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.formats import Aligned


def prepare(raw: Raw, public: Path, private: Path) -> None:
    names = [f"bpps/{molecule}.npy" for molecule in prepare_v1(raw, public, private)]
    copy_files({name: raw / name for name in names if (raw / name).is_file()}, public)


class KeptById(KeptRows):
    """Like KeptRows, but rows are put into the order of the answers first."""

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        super().check(self._ordered(submission, keys), keys)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        return super().align(self._ordered(submission, self.keys(answers)), answers)

    def _ordered(self, submission: pd.DataFrame, keys: pd.DataFrame) -> pd.DataFrame:
        require_rows(submission, len(keys), self.id)
        require_columns(submission, [self.id])
        order = match_ids(submission[self.id], keys[self.id])
        return submission.iloc[order].reset_index(drop=True)


changes = Changes(
    fixes=(
        Fix(
            "the base-pair probabilities, which most teams used, are left out",
            "bpps/ has a file for each molecule of train and test",
        ),
        Fix(
            "the rows that count are found by their place in the file, so that a file in another"
            " order is compared with wrong answers",
            "rows are matched by id",
        ),
    ),
    comparability="near",
    flags=(EASIER_TEST,),
    note="`bpps/<id>.npy` is the matrix of base-pair probabilities of a molecule.",
    prepare=prepare,
    refuses_gaps=True,
    submission=KeptById(
        id="id_seqpos",
        targets=TARGETS,
        scored=("reactivity", "deg_Mg_pH10", "deg_Mg_50C"),
        keep="keep",
    ),
)
