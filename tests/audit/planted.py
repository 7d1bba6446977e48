"""Generated competitions with one planted fault each, and the same ones without it."""

from __future__ import annotations

import os
from pathlib import Path

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.skeleton import write_skeleton
from mlebench.tables import read_table

COMPETITION = '''"""A generated competition."""

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
    """Reads a gap as 0."""

    def align(self, submission, answers):
        return super().align(submission.fillna(0), answers)


class Partial(RowPerId):
    """Scores only the rows that are there."""

    def align(self, submission, answers):
        known = answers[answers[self.id].isin(submission[self.id])]
        return super().align(submission, known.reset_index(drop=True))


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


def set_times(located: LocatedCompetition) -> None:
    """Set the times of test files as a careless copy class by class does."""
    labels = read_table(located.answers)
    for name, label in zip(labels["id"], labels["label"], strict=True):
        os.utime(located.public_dir / "test" / f"{name}.png", (1e9 + 60 * label, 1e9 + 60 * label))


IMAGES = """for part, rows_of in (("train", train), ("test", test)):
        (public / part).mkdir()
        for name, label in zip(rows_of["id"], rows_of["label"]):
            pixels = r.integers(0, 255, (16, 16), dtype=np.uint8)
            tags = PngImagePlugin.PngInfo()
            tags.add_text("Camera", {tag})
            Image.fromarray(pixels).save(public / part / f"{{name}}.png", pnginfo=tags)
    {more}"""
COPIED = """for one, other in zip(test["id"][:9], train["id"]):
        (public / "test" / f"{one}.png").write_bytes(
            (public / "train" / f"{other}.png").read_bytes())"""
BRIGHTER = """for one, other in zip(test["id"][:9], train["id"]):
        with Image.open(public / "train" / f"{other}.png") as image:
            image.point(lambda v: v * 0.9).save(public / "test" / f"{one}.png")"""


def images(tag: str = '"A"', more: str = "pass") -> dict[str, str]:
    return {"files": IMAGES.format(tag=tag, more=more)}


BY_CLASS = "table = table.sort_values('label').reset_index(drop=True)"
PERMUTED = "; table = table.iloc[np.random.RandomState({}).permutation(ROWS)]"
GROUPED = "table['patient_id'] = {}"
GAPS = {"format": "Lenient"}
SUBSET = {"format": "Partial"}

KINDS: dict[str, tuple[str, dict[str, str], dict[str, str]]] = {
    "class-sorted names": (
        "order",
        {"before": BY_CLASS + "; table['id'] = range(ROWS)" + PERMUTED.format("999")},
        {"before": "table['id'] = range(ROWS)" + PERMUTED.format("999")},
    ),
    "seeded order": (
        "order",
        {"before": BY_CLASS + PERMUTED.format("SEED"), "is_sorted": "False"},
        {"before": BY_CLASS + PERMUTED.format("SEED"), "is_sorted": "True"},
    ),
    "field copy": (
        "metadata",
        {"before": "table['code'] = table['label'] * 7 + 3"},
        {"before": "table['code'] = r.integers(0, 2, ROWS) * 7 + 3"},
    ),
    "duplicate images": ("duplicates", images(more=COPIED), images()),
    "image tags": ("metadata", images('"AB"[label]'), images('"AB"[r.integers(0, 2)]')),
    "times": ("order", images(), images()),
    "group overlap": (
        "groups",
        {"before": GROUPED.format("r.integers(0, 60, ROWS)")},
        {"before": GROUPED.format("np.arange(ROWS) // 5")},
    ),
    "gaps": ("trivial", GAPS, {}),
    "subset": ("trivial", SUBSET, {}),
    "tiny test": ("noise", {"test": "12", "bronze": "0.72", "silver": "0.8"}, {"test": "200"}),
}
"""Kind of fault → the check that finds it, changes with the fault, changes without it."""


def build_kind(folder: Path, kind: str, seed: int, *, is_faulty: bool) -> LocatedCompetition:
    _, faulty, clean = KINDS[kind]
    located = build(folder, seed, **(faulty if is_faulty else clean))
    if kind == "times" and is_faulty:
        set_times(located)
    return located
