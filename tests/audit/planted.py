"""Generated competitions with one planted fault each, and the same ones without it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mlebench.audit import audit
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.records.audit import AuditRecord
from mlebench.skeleton import write_skeleton
from mlebench.tables import read_table

COMPETITION = '''"""A generated competition."""

import numpy as np
import pandas as pd
from PIL import Image, PngImagePlugin

from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.clusters import Clusters
from mlebench.formats.values import {values}
from mlebench.metrics import {metric}
from mlebench.tables import write_table
from tests.audit import writing

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


class Repeating(RowPerId):
    """Scores the first row of an id."""

    def align(self, submission, answers):
        return super().align(submission.drop_duplicates(self.id), answers)


class Foreign(RowPerId):
    """Scores ids that it does not know as the first one that is missing."""

    def align(self, submission, answers):
        ids = submission[self.id].where(submission[self.id].isin(answers[self.id]))
        missing = answers[self.id][~answers[self.id].isin(ids)]
        first = missing.iloc[0] if len(missing) else None
        filled = ids.fillna(first).astype(int)
        return super().align(submission.assign(**{{self.id: filled}}), answers)


class Surplus(RowPerId):
    """Ignores rows of ids that it does not know."""

    def align(self, submission, answers):
        return super().align(submission[submission[self.id].isin(answers[self.id])], answers)


class Endless(RowPerId):
    """Reads an infinite value as 1."""

    def align(self, submission, answers):
        return super().align(submission.replace(float("inf"), 1.0), answers)


class Wordy(RowPerId):
    """Reads a word as 0."""

    def align(self, submission, answers):
        if "label" in submission and not submission["label"].isna().any():
            numbers = pd.to_numeric(submission["label"], errors="coerce").fillna(0)
            submission = submission.assign(label=numbers)
        return super().align(submission, answers)


class Positional(RowPerId):
    """Pairs rows by position."""

    def align(self, submission, answers):
        if len(submission) == len(answers):
            submission = submission.assign(id=answers["id"].to_numpy())
        return super().align(submission, answers)


class Quoting(RowPerId):
    """Fails with a message that quotes an answer."""

    def align(self, submission, answers):
        raise TypeError(f"no such animal: {{answers['label'].iloc[0]}}")


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
    write_table(test[{answers}], private / "test.csv")
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
    clusters={clusters},
)
'''
DEFAULTS = {
    "values": "probabilities",
    "metric": "roc_auc",
    "format": "RowPerId",
    "clusters": "None",
    "answers": "['id', 'label']",
    "rows": "400",
    "test": "100",
    "before": "pass",
    "after": "pass",
    "files": "pass",
    "is_sorted": "True",
    "sample": "0.5",
}
BOARD = """{{"teams": 21, "lower_is_better": {lower}, "gold": {gold}, "silver": {silver},
 "bronze": {bronze}, "median": 0.7, "best": 0.97, "worst": 0.5, "quantiles": []}}"""
CUTS = {"gold": "0.95", "silver": "0.93", "bronze": "0.9", "lower": "false"}


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


def set_inodes(located: LocatedCompetition) -> None:
    """Write test files again class by class, while the old ones keep their inodes."""
    names = read_table(located.answers).sort_values("label")["id"]
    test = located.public_dir / "test"
    copies = located.folder.path / "copies"
    copies.mkdir()
    for name in names:
        shutil.copy2(test / f"{name}.png", copies)
    numbers = sorted(copies.iterdir(), key=lambda file: file.stat().st_ino)
    # A file system that reuses numbers has them in another order than the names.
    for name, source in zip(names, numbers, strict=True):
        shutil.copyfile(test / f"{name}.png", source)
        shutil.copystat(test / f"{name}.png", source)
        source.rename(copies / f"{name}.new")
    for copy in copies.glob("*.new"):
        copy.replace(test / f"{copy.stem}.png")


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


LABEL, NOISE = "test['label']", "pd.Series(r.integers(0, 2, TEST), index=test.index)"
BY_CLASS = "table = table.sort_values('label').reset_index(drop=True)"
PERMUTED = "; table = table.iloc[np.random.RandomState({}).permutation(ROWS)]"
GROUPED = "table['patient_id'] = {}"
TEXTS = "table['text'] = [' '.join(r.choice(writing.WORDS, 30)) for _ in range(ROWS)]"
ALIKE = "; test['text'] = [*(train['text'][:9] + ' x'), *test['text'][9:]]"
DRAWN = "test = test.sort_values('id'); test['label'] = writing.drawn(SEED, TEST)"
BLOCKS = "test = writing.shuffled(test.sort_values('label'), SEED)"


@dataclass(frozen=True)
class Kind:
    """A kind of fault: the check that finds it, and what the competition looks like."""

    check: str
    faulty: dict[str, str] = field(default_factory=dict)
    clean: dict[str, str] = field(default_factory=dict)
    spoil: Callable[[LocatedCompetition], None] | None = None
    """Done to the prepared data of the faulty one."""


def written(function: str) -> Kind:
    """Files about each test item, with the label or with noise."""
    call = f"writing.{function}(public / 'test', test['id'], {{}})"
    return Kind("metadata", {"files": call.format(LABEL)}, {"files": call.format(NOISE)})


KINDS = {
    "class-sorted names": Kind(
        "order",
        {"before": BY_CLASS + "; table['id'] = range(ROWS)" + PERMUTED.format("999")},
        {"before": "table['id'] = range(ROWS)" + PERMUTED.format("999")},
    ),
    "seeded order": Kind(
        "order",
        {"before": BY_CLASS + PERMUTED.format("SEED % 101"), "is_sorted": "False"},
        {"before": BY_CLASS + PERMUTED.format("SEED % 101"), "is_sorted": "True"},
    ),
    "shuffled blocks": Kind("order", {"after": BLOCKS, "is_sorted": "False"}, {"after": BLOCKS}),
    "drawn labels": Kind("order", {"after": DRAWN}),
    "times": Kind("order", images(), images(), set_times),
    "inodes": Kind("order", images(), images(), set_inodes),
    "sizes": Kind("order", images('"A" * (10 + 90 * label)'), images()),
    "archive members": Kind(
        "order",
        {"files": "writing.archive(public / 'test.zip', test.sort_values('label')['id'])"},
        {"files": "writing.archive(public / 'test.zip', test['id'])"},
    ),
    "field copy": Kind(
        "metadata",
        {"before": "table['code'] = table['label'] * 7 + 3"},
        {"before": "table['code'] = r.integers(0, 2, ROWS) * 7 + 3"},
    ),
    "PNG text": Kind("metadata", images('"AB"[label]'), images('"AB"[r.integers(0, 2)]')),
    "EXIF": written("exif"),
    "DICOM": written("dicom"),
    "TFRecord": written("tfrecord"),
    "TFRecord target": Kind(
        "metadata",
        {"files": f"writing.tfrecord(public / 'test', test['id'], {NOISE}, 'target')"},
        {"files": f"writing.tfrecord(public / 'test', test['id'], {NOISE}, 'width')"},
    ),
    "MATLAB": written("mat"),
    "HDF5": written("hdf"),
    "BSON": written("bson"),
    "JSON": written("json_rows"),
    "parquet": written("parquet"),
    "NMEA": written("nmea"),
    "outlines": Kind(
        "metadata",
        images(more="writing.outlines(public / 'test', test['id'], 'geometry')"),
        images(more="writing.outlines(public / 'test', test['id'], 'camera')"),
    ),
    "public answers": Kind(
        "metadata", {"files": "write_table(test[['id', 'label']], public / 'notes.csv')"}
    ),
    "duplicate images": Kind("duplicates", images(more=COPIED), images()),
    "near duplicate images": Kind("duplicates", images(more=BRIGHTER), images()),
    "sound": Kind(
        "duplicates",
        {"files": "writing.sounds(public, train['id'], test['id'], r, 9)"},
        {"files": "writing.sounds(public, train['id'], test['id'], r, 0)"},
    ),
    "similar texts": Kind("duplicates", {"before": TEXTS, "after": ALIKE[2:]}, {"before": TEXTS}),
    "equal rows": Kind(
        "duplicates",
        {"after": "test[['signal', 'other']] = train[['signal', 'other']].iloc[:TEST].to_numpy()"},
    ),
    "group overlap": Kind(
        "groups",
        {"before": GROUPED.format("r.integers(0, 60, ROWS)")},
        {"before": GROUPED.format("np.arange(ROWS) // 5")},
    ),
    "gaps": Kind("trivial", {"format": "Lenient"}),
    "subset": Kind("trivial", {"format": "Partial"}),
    "repeats": Kind("trivial", {"format": "Repeating"}),
    "foreign ids": Kind("trivial", {"format": "Foreign"}),
    "infinite values": Kind("trivial", {"format": "Endless"}),
    "words": Kind("trivial", {"format": "Wordy"}),
    "trivial medal": Kind("trivial", {"gold": "0.6", "silver": "0.55", "bronze": "0.5"}),
    "position": Kind("oracle", {"format": "Positional"}),
    "gold out of reach": Kind("oracle", {"gold": "1.5"}),
    "tiny test": Kind("noise", {"test": "12", "bronze": "0.72", "silver": "0.8"}, {"test": "200"}),
    "wrong direction": Kind("board", {"lower": "true"}),
    "cut-offs out of order": Kind("board", {"silver": "0.8"}),
}
"""Forty kinds."""


def checked(located: LocatedCompetition) -> dict[str, AuditRecord]:
    """The records of an audit without the baseline agent, by check."""
    return {record.check: record for record in audit(located, with_baseline=False)}


def build_kind(folder: Path, kind: str, seed: int, *, is_faulty: bool) -> LocatedCompetition:
    chosen = KINDS[kind]
    located = build(folder, seed, **(chosen.faulty if is_faulty else chosen.clean))
    if chosen.spoil and is_faulty:
        chosen.spoil(located)
    return located
