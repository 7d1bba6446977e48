"""Submissions made from a good one: trivial ones, and ones that are broken in one place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

import numpy as np

from mlebench.definition import Accepted

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.audit.examined import Examined

NUMBER = re.compile(r"-?\d+(\.\d*)?(e-?\d+)?")


def mixed(
    table: pd.DataFrame, targets: list[str], random: np.random.Generator, share: float = 1.0
) -> pd.DataFrame:
    """A submission with this share of its predictions exchanged among each other."""
    order = np.arange(len(table))
    chosen = random.permutation(len(table))[: round(share * len(table))]
    order[np.sort(chosen)] = chosen
    return table.assign(**{name: table[name].to_numpy()[order] for name in targets})


def constant(examined: Examined) -> pd.DataFrame:
    """The good submission with one prediction for all rows: that of its most frequent row."""
    good = examined.good
    groups = good.groupby(examined.targets, dropna=False, sort=False).ngroup().to_numpy()
    first = int(np.argmax(groups == np.argmax(np.bincount(groups))))
    return good.assign(**{name: [good[name].iloc[first]] * len(good) for name in examined.targets})


def broken(examined: Examined) -> Iterator[tuple[str, pd.DataFrame]]:
    """The good submission, broken in each way that the definition does not accept."""
    accepted = examined.competition.definition.accepts
    kinds = {"missing_column", *get_args(Accepted)} - accepted
    return ((kind, table) for kind, table in malformed(examined) if kind in kinds)


def malformed(examined: Examined) -> Iterator[tuple[str, pd.DataFrame]]:
    """The good submission, broken in one way each."""
    import pandas as pd

    good, id_name, target = examined.good, examined.id_name, examined.targets[-1]
    yield "missing_column", good.drop(columns=target)
    yield "missing_row", good.iloc[1:]
    if len(good) > 1:
        yield "double_id", _with_first(good, id_name, good[id_name].iloc[-1])
        yield "half_of_the_rows", good.iloc[: len(good) // 2]
        yield "all_rows_twice", good.iloc[np.tile(np.arange(len(good)), 2)]
    is_number = good[id_name].dtype.kind in "iuf"
    foreign = good[id_name].max() + 987_654_321 if is_number else "no-such-id"
    yield "foreign_id", _with_first(good, id_name, foreign)
    surplus = good.iloc[:1].assign(**{id_name: [foreign]})
    yield "surplus_row_of_a_foreign_id", pd.concat([good, surplus], ignore_index=True)
    yield "nan", _with_first(good, target, None)
    if good[target].dtype.kind in "iuf":
        yield "infinite_value", _with_first(good, target, float("inf"))
        yield "word_for_a_number", _with_first(good, target, "seven")
    yield "gaps_in_all_rows", good.assign(**{target: None})
    if len(examined.targets) > 1:
        one = dict.fromkeys(examined.targets, None) | {target: 1.0}
        yield "gaps_in_all_but_one_column", good.assign(**one)


def empty_claims(examined: Examined) -> Iterator[tuple[str, pd.DataFrame]]:
    """The good submission with claims that are wrong: it must score less, or be refused."""
    good, target = examined.good, examined.targets[-1]
    boxes = [_boxes(cell) for cell in good[target]]
    if all(boxes):
        yield "boxes with inverted corners", good.assign(**{target: list(map(_inverted, boxes))})
        labels = sorted({box[0] for found in boxes for box in found})
        nothing = " ".join(f"{label} -1 7 7 8 8" for label in labels)
        yield "boxes with a negative confidence only", good.assign(**{target: nothing})
    elif good[target].dtype.kind not in "iufb":
        # At the start: later guesses of a ranked list may cost nothing.
        cells = "no-such-label " + good[target].fillna("").astype(str)
        yield "labels that do not exist", good.assign(**{target: cells})


def _boxes(cell: object) -> list[list[str]]:
    """The boxes of a cell of `label confidence x1 y1 x2 y2 …`; empty if it has another form."""
    words = str(cell).split()
    found = [words[k : k + 6] for k in range(0, len(words), 6)]
    is_number = all(NUMBER.fullmatch(word) for box in found for word in box[1:])
    return found if len(words) % 6 == 0 and is_number else []


def _inverted(boxes: list[list[str]]) -> str:
    """Each box, and before it one far away, with its left and right exchanged."""
    words = []
    for label, _, *corners in boxes:
        left, top, right, bottom = map(float, corners)
        wrong = (right + 5000, top + 5000, left + 5000, bottom + 5000)
        words += [label, "1", *(f"{value:g}" for value in wrong), label, "0.5", *corners]
    return " ".join(words)


def _with_first(table: pd.DataFrame, column: str, value: object) -> pd.DataFrame:
    """The table with another value in the first row."""
    values = table[column].astype(object).to_list()
    return table.assign(**{column: [value, *values[1:]]})
