"""Checks that public files do not reveal answers: by a file, a column or the order of rows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.checking.examined import Examined
from mlebench.doctor.check import Check
from mlebench.records.manifest import walk_files
from mlebench.system.files import sha256
from mlebench.tables import read_table

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

TRAIN_TABLES = ("train.csv", "train_labels.csv", "labels.csv")
LARGEST_TABLE = 1 << 28
ROWS, SHUFFLES, FEW_ROWS = 20_000, 200, 20
DEVIATIONS = 6.0
"""Above this many standard deviations from a random order, chance is no explanation."""


def check_leaks(examined: Examined) -> Iterator[Check]:
    """`public/` contains no private file, no answers, and no test id among the training ids."""
    fail = partial(Check, "leaks", "fail")
    yield from map(fail, _private_files(examined))
    if examined.competition.answers.suffix == ".csv":
        yield from map(fail, _answers_in_sample(examined))
        yield from map(fail, _shared_ids(examined))
        yield from map(fail, _answers_in_tables(examined))
    yield Check("leaks", "ok", "no answer and no shared id was found in public/")


def _private_files(examined: Examined) -> Iterator[str]:
    competition = examined.competition
    private = {sha256(file): file.name for file in walk_files(competition.private_dir)}
    for file in walk_files(competition.public_dir):
        if file.stat().st_size and (name := private.get(sha256(file))):
            yield f"public/{file.relative_to(competition.public_dir)} is private/{name}"


def _answers_in_sample(examined: Examined) -> Iterator[str]:
    answers, sample = examined.answers, examined.sample
    for name in examined.targets:
        is_answer = name in answers.columns and answers[name].nunique() > 1
        if is_answer and len(sample) == len(answers) and list(sample[name]) == list(answers[name]):
            yield f"column {name!r} of the sample submission contains the answers"


def _shared_ids(examined: Examined) -> Iterator[str]:
    """Ids in a public training table and in the answers, unless test ids start again at 0."""
    definition, id_name = examined.competition.definition, examined.id_name
    if "renumbered" in definition.accepts or id_name not in examined.answers.columns:
        return
    for name in TRAIN_TABLES:
        file = examined.competition.public_dir / name
        train = read_table(file) if file.is_file() else None
        if train is not None and id_name in train.columns:
            shared = set(train[id_name].dropna()) & set(examined.answers[id_name].dropna())
            if shared:
                example = sorted(map(str, shared))[0]
                yield f"{len(shared)} ids of public/{name} are in the answers, as {example!r}"


def _answers_in_tables(examined: Examined) -> Iterator[str]:
    """Tables of the test part that have a predicted column, with the right values."""
    answers, id_name = examined.answers, examined.id_name
    if id_name not in answers.columns or answers[id_name].duplicated().any():
        return
    for file in sorted(examined.competition.public_dir.rglob("*.csv")):
        is_known = file == examined.competition.sample_submission or file.name in TRAIN_TABLES
        if is_known or file.stat().st_size > LARGEST_TABLE:
            continue
        for name, table in _with_targets(file, examined):
            both = table.merge(answers[[id_name, name]], on=id_name)
            is_right = both[f"{name}_x"].astype(str) == both[f"{name}_y"].astype(str)
            if len(both) >= FEW_ROWS and both[f"{name}_y"].nunique() > 1 and is_right.all():
                shown = file.relative_to(examined.competition.public_dir)
                yield f"column {name!r} of public/{shown} contains the answers"


def _with_targets(file: Path, examined: Examined) -> Iterator[tuple[str, pd.DataFrame]]:
    table, id_name = read_table(file), examined.id_name
    kind = examined.answers[id_name].dtype.kind
    if id_name in table.columns and table[id_name].dtype.kind == kind:
        for name in examined.targets:
            if name in table.columns and name in examined.answers.columns and name != id_name:
                yield name, table[[id_name, name]]


def check_order(examined: Examined) -> Iterator[Check]:
    """The order of public rows, the order of ids and the times of files reveal no answer."""
    warn = partial(Check, "order", "warn")
    truth = _answers_by_id(examined)
    for order, ids in _public_orders(examined) if truth is not None else ():
        for name in examined.targets[:5]:
            if truth is not None and name in truth.columns:
                deviation = order_deviation(truth[name].reindex(ids).to_numpy()[:ROWS])
                if deviation > DEVIATIONS:
                    yield warn(
                        f"{order} follows {name!r}: neighbours are alike by {deviation:.0f}"
                        " standard deviations",
                        "shuffle the rows, and give ids that do not follow the answers",
                    )
    times = {int(file.stat().st_mtime) for file in walk_files(examined.competition.public_dir)}
    if len(times) > 1:
        yield warn(f"public files have {len(times)} different times", "mlebench prepare sets one")
    looked = "order of rows and ids, times of files" if truth is not None else "times of files"
    yield Check("order", "ok", f"nothing found in: {looked}")


def _answers_by_id(examined: Examined) -> pd.DataFrame | None:
    """The answers with the ids as index; None where their order is no secret or ids repeat."""
    answers, id_name = examined.answers, examined.id_name
    if "ordered" in examined.competition.definition.accepts:
        return None
    if examined.competition.answers.suffix != ".csv" or id_name not in answers.columns:
        return None
    if len(answers) < FEW_ROWS or answers[id_name].duplicated().any():
        return None
    found: pd.DataFrame = answers.set_index(id_name)
    return found


def _public_orders(examined: Examined) -> Iterator[tuple[str, list[Any]]]:
    ids = list(examined.sample[examined.id_name]) if examined.id_name in examined.sample else []
    yield "the order of the sample submission", ids
    yield "the order of the ids", sorted(ids)
    test = examined.competition.public_dir / "test.csv"
    table = read_table(test) if test.is_file() else None
    if table is not None and examined.id_name in table.columns:
        yield "the order of public/test.csv", list(table[examined.id_name])


class Neighbours:
    """How alike neighbours are in an order, measured against random orders."""

    def __init__(self, values: NDArray[Any]) -> None:
        import pandas as pd

        column = pd.Series(values)
        few = max(2, len(column) // 10)
        self.is_class = column.dtype.kind not in "iuf" or column.nunique() <= few
        self.codes = (
            pd.factorize(column)[0].astype(float) if self.is_class else column.rank().to_numpy()
        )
        random = np.random.default_rng(0)
        chance = [self._unlikeness(random.permutation(len(column))) for _ in range(SHUFFLES)]
        self.mean, self.spread = float(np.mean(chance)), float(np.std(chance))

    def _unlikeness(self, order: NDArray[Any]) -> float:
        steps = np.abs(np.diff(self.codes[order]))
        return float(np.mean(steps > 0) if self.is_class else np.mean(steps))

    def deviation(self, order: NDArray[Any]) -> float:
        """By how many standard deviations neighbours are more alike than in a random order."""
        return (self.mean - self._unlikeness(order)) / self.spread if self.spread else 0.0


def order_deviation(values: NDArray[Any]) -> float:
    """By how many standard deviations neighbours are more alike than in a random order."""
    import pandas as pd

    column = pd.Series(values).dropna()
    if len(column) < FEW_ROWS or column.nunique() < 2:
        return 0.0
    return Neighbours(column.to_numpy()).deviation(np.arange(len(column)))
