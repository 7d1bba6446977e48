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
    prepare=prepare,
    refuses_gaps=True,
    submission=KeptById(
        id="id_seqpos",
        targets=TARGETS,
        scored=("reactivity", "deg_Mg_pH10", "deg_Mg_50C"),
        keep="keep",
    ),
    passages={
        "| 240 molecules, JSON lines, 7 fields |": (
            "| 240 molecules, JSON lines, 7 fields |\n"
            "| `bpps/<id>.npy` | matrix of the base-pair probabilities of each molecule |"
        ),
        "| 240 molecules, one JSON object a line, without |": (
            "| 240 molecules, one JSON object a line, without |\n"
            "| `bpps/<id>.npy` | matrix of the base-pair probabilities of each molecule |"
        ),
        "Base-pair probabilities are not provided; a folding package can compute them from"
        " the sequence.": "",
        "Pairing probabilities are not included but can be computed with any folding software.": "",
        "and the five targets, **in the order of the sample submission**, which is that of"
        " `test.json`.": "and the five targets, rows in any order.",
        "Keep **the row order of the sample**.": "Rows may be in any order.",
        "or a cell that counts is empty, text or infinite. **Rows in another order are not"
        " refused but compared with wrong answers.**": "or a cell is empty, text or infinite.",
        "or if a scored cell is empty, text or infinite. A different row order goes unnoticed"
        " and spoils the score.": "or if a cell is empty, text or infinite.",
        "base-pair probabilities from a folding package,": "base-pair probabilities from `bpps`,",
        "with probabilities if you can compute them.": "with the probabilities of `bpps`.",
    },
)
