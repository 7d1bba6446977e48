"""Generated competitions with one planted fault each, and the same ones without it."""

from __future__ import annotations

from pathlib import Path

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.skeleton import write_skeleton

COMPETITION = '''"""A generated competition."""

import io
import os

import numpy as np
import pandas as pd
from PIL import Image, PngImagePlugin

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import {values}
from mlebench.metrics import {metric}
from mlebench.tables import write_table

SEED, ROWS, TEST = {seed}, {rows}, {test}


class Lenient(RowPerId):
    """Scores what is there, as a careless grader does."""

    def check(self, submission, keys):
        pass

    def align(self, submission, answers):
        known = answers[answers[self.id].isin(submission[self.id])]
        rows = submission.drop_duplicates(self.id).set_index(self.id).reindex(known[self.id])
        filled = rows.fillna(0).reset_index()
        return super().align(filled, known.reset_index(drop=True))


rows = {format}(id="id", target="label", values={values})


def prepare(raw, public, private):
    r = np.random.default_rng(SEED)
    labels = r.integers(0, 2, ROWS)
    signal = labels + r.normal(0, 1.0, ROWS)
    table = pd.DataFrame({{"id": r.permutation(ROWS) + 1000, "signal": signal.round(6)}})
    table["other"] = r.normal(0, 1, ROWS).round(6)
    table["label"] = labels
    {before}
    train, test = table.iloc[TEST:].copy(), table.iloc[:TEST].copy()
    {after}
    test = test.sort_values("id") if {is_sorted} else test
    write_table(test[["id", "label"]], private / "test.csv")
    write_table(train, public / "train.csv")
    write_table(test.drop(columns="label"), public / "test.csv")
    write_table(test[["id"]].assign(label={sample}), public / "sample_submission.csv")
    {files}


competition = CompetitionDefinition(
    id="{id}",
    title="Generated",
    category="Tabular",
    complexity="dev",
    prepare=prepare,
    submission=rows,
    metric={metric},
)
'''
DEFAULTS = {
    "values": "probabilities",
    "metric": "roc_auc",
    "format": "RowPerId",
    "rows": "400",
    "test": "100",
    "before": "pass",
    "after": "pass",
    "files": "pass",
    "is_sorted": "True",
    "sample": "0.5",
}
BOARD = """{{"teams": 21, "lower_is_better": false, "gold": {gold}, "silver": {silver},
 "bronze": {bronze}, "median": 0.7, "best": 0.97, "worst": 0.5, "quantiles": []}}"""
CUTS = {"gold": "0.95", "silver": "0.93", "bronze": "0.9"}


def build(folder: Path, seed: int = 0, **changes: str) -> LocatedCompetition:
    """A prepared competition with 300 training rows and 100 test rows, changed as asked."""
    home = write_skeleton("generated", folder / "competitions")
    cuts = {name: changes.pop(name, value) for name, value in CUTS.items()}
    filled = DEFAULTS | changes | {"seed": str(seed), "id": "generated"}
    (home / "competition.py").write_text(COMPETITION.format(**filled), "utf-8")
    (home / "leaderboard.json").write_text(BOARD.format(**cuts), "utf-8")
    located = Catalogue(folder / "data", (home.parent,)).get_competition("generated")
    prepare(located, Rehearsal(seed=seed))
    return located
