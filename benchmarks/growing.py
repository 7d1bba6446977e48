"""Tables grown by copies of themselves with new ids, and predictions that are partly wrong."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from real_boxes import DETECTED, REAL_BOXES
from real_masks import LONG_TEXT, REAL, half_right

from mlebench.catalogue import LocatedCompetition
from mlebench.formats import RowPerId
from mlebench.tables.reading import exact_floats

EXACT = exact_floats()

MARK = "\x01"
"""Stands where each copy of a row gets its own number, in front of the id."""

DIGITS = 12
"""Of a number that is an id, at most: longer ones lose those before to the copy's number."""

WRONG = 3
"""Every so many rows one is predicted wrongly."""

JOINED = {"cell_order": 16}
"""Lists that are this many times longer in the real data than in the rehearsal's."""

ONCE = {"champs-scalar-coupling"}
"""Here every id of the real data stands once, some of the rehearsal's twice."""


ANSWERS = {"h-and-m-personalized-fashion-recommendations": 75_000}
"""Rows of the answers, where they are fewer than those of the submission."""


@dataclass(frozen=True)
class Grown:
    """A submission, partly wrong, and its answers, to be written as often as one likes."""

    header: bytes
    rows: bytes
    true_header: bytes
    true_rows: bytes
    rows_per_copy: int
    is_shuffled: bool

    @classmethod
    def of(cls, competition: LocatedCompetition, *, is_shuffled: bool = False) -> Grown:
        """What the gold submission and the answers of a prepared rehearsal grow from."""
        form = competition.definition.submission
        gold, answers = competition.gold_submission.read_bytes(), competition.answers.read_bytes()
        id_name = form.id or str(pd.read_csv(competition.gold_submission, nrows=0).columns[0])
        predicted = marked(gold, id_name, EXACT, competition.id)
        targets = [name for name in form.targets if name in predicted]
        targets = targets or [name for name in predicted if name != id_name]
        if isinstance(form, RowPerId):
            predicted = predicted[[id_name, *form.ignored, *targets]]
        predicted = worse(predicted, targets, competition.id)
        if is_shuffled:
            predicted = predicted.sample(frac=1, random_state=0)
        true_header, true_rows = (
            (b"", marked_lines(answers, id_name))
            if competition.answers.suffix == ".jsonl"
            else as_csv(marked(answers, id_name, EXACT, competition.id))
        )
        return cls(*as_csv(predicted), true_header, true_rows, len(predicted), is_shuffled)

    def write(self, competition: LocatedCompetition, submission: Path, copies: int) -> None:
        """Replace the answers and the sample submission, and write the submission."""
        numbers = range(copies)
        most = ANSWERS.get(competition.id, copies * self.rows_per_copy)
        true_numbers = numbers[: max(most // self.rows_per_copy, 1)]
        true_rows = copied(self.true_rows, true_numbers, copies)
        competition.answers.write_bytes(self.true_header + true_rows)
        order = numbers[::-1] if self.is_shuffled else numbers
        submission.write_bytes(self.header + copied(self.rows, order, copies))
        # The size of the sample submission limits that of a submission.
        competition.sample_submission.write_bytes(submission.read_bytes())


def marked(data: bytes, id_name: str, options: dict[str, Any], competition_id: str) -> pd.DataFrame:
    """A table whose ids bear the mark."""
    table = pd.read_csv(io.BytesIO(data), **options)
    real = {**REAL, **REAL_BOXES}
    if competition_id in real:
        table = real[competition_id](table)
    if competition_id in ONCE:
        table = table.drop_duplicates(id_name)
    for name in JOINED.keys() & set(table):
        groups = np.arange(len(table)) // JOINED[name]
        table = table.groupby(groups).agg({**dict.fromkeys(table, "first"), name: " ".join})
    ids = table[id_name]
    is_number = ids.dtype.kind in "iu"
    width = min(len(str(ids.max())), DIGITS)
    new = [f"{id % 10**width:0{width}d}" if is_number else str(id) for id in ids]
    if len(set(new)) != ids.nunique():
        raise SystemExit(f"the ids of {id_name} cannot be cut to {DIGITS} digits")
    return table.assign(**{id_name: [MARK + id for id in new]})


def marked_lines(data: bytes, id_name: str) -> bytes:
    """JSON lines whose ids bear the mark."""
    rows = [json.loads(line) for line in data.splitlines()]
    lines = (json.dumps({**row, id_name: MARK + str(row[id_name])}) for row in rows)
    return "".join(line.replace("\\u0001", MARK) + "\n" for line in lines).encode()


def as_csv(table: pd.DataFrame) -> tuple[bytes, bytes]:
    """The header and the rows."""
    text = table.to_csv(index=False).encode()
    end = text.index(b"\n") + 1
    return text[:end], text[end:]


def copied(rows: bytes, numbers: Sequence[int], count: int) -> bytes:
    """The rows once for each number below a count; all are equally long in place of the marks."""
    first = 10 ** len(str(count))
    return b"".join(rows.replace(MARK.encode(), b"%d" % (first + number)) for number in numbers)


def worse(table: pd.DataFrame, targets: list[str], competition_id: str) -> pd.DataFrame:
    """Every third row has the prediction of another; lists of fixed words change order."""
    if competition_id in DETECTED:
        return table.assign(**{targets[0]: DETECTED[competition_id](table[targets[0]])})
    # A gap may stand only where the gold submission has one.
    wrong = np.flatnonzero(table[targets].notna().all(axis=1))[::WRONG]
    if targets[0] in JOINED:
        cells = table[targets[0]].to_numpy(dtype=object).copy()
        cells[wrong] = [disordered(cell) for cell in cells[wrong]]
        return table.assign(**{targets[0]: cells})
    if table[targets[0]].astype(str).str.len().max() > LONG_TEXT / 2:
        return table.assign(**{targets[0]: table[targets[0]].map(half_right)})
    source = np.arange(len(table))
    source[wrong] = np.roll(wrong, 1) if len(wrong) > 1 else wrong - 1
    return table.assign(**{name: table[name].to_numpy()[source] for name in targets})


def disordered(text: str) -> str:
    """The words in an order that is somewhat wrong."""
    words = text.split()
    places = np.argsort(np.arange(len(words)) + np.random.default_rng(0).normal(0, 3, len(words)))
    return " ".join(words[place] for place in places)
