"""Find the training table, the table of the rows to predict, and the targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .fallback import SAMPLE, find_sample
from .files import Found, is_of_test
from .tables import ROWS_FOR_TRAINING, Peek, Table, peek_tables, read

ENOUGH = 0.9
"""The share of ids that two columns must have in common to count as the same ids."""

NO_NAME = "Unnamed"
"""The start of the name that pandas gives to a column without one."""

TARGET_NAMES = ("target", "label", "labels", "class", "category_id", "category", "score")


@dataclass(frozen=True)
class Task:
    """The rows to predict and the rows to learn from."""

    sample: Table
    """As text, in the order that the submission must have."""

    keys: list[str]
    targets: list[str]
    test: Table
    """In the order of the sample; without columns if no table describes the test rows."""

    train: Table
    """Training rows; empty if there are none."""

    truth: dict[str, str]
    """For each target of the sample, the training column that contains it."""

    class_column: str | None
    """A training column whose values are the names of the targets."""


def understand(files: Sequence[Found]) -> Task | None:
    """Find out what to predict; None if there is no sample and none can be made."""
    peeks = peek_tables(files)
    found = find_sample(files)
    sample = read(found, as_text=None) if found else None
    others = [p for p in peeks if not SAMPLE.search(p.file.name.lower())]
    tests = [p for p in others if is_of_test(p.file.path)]
    learn = [p for p in others if not is_of_test(p.file.path)]
    if sample is None:
        sample = _make_sample(learn, tests)
    if sample is None:
        return None
    test, keys = _rows_to_predict(sample, tests)
    targets = [c for c in sample.columns if c not in keys]
    for candidate in sorted(learn, key=lambda p: -_fitness(p, keys, targets)):
        truth, classes = _find_truth(candidate, test, keys, targets)
        if truth or classes:
            wanted = [*truth.values(), *([classes] if classes else []), *keys]
            train = read(candidate.file, rows=ROWS_FOR_TRAINING, as_text=wanted)
            return Task(sample, keys, targets, test, train, truth, classes)
    return Task(sample, keys, targets, test, test.iloc[:0, :0], {}, None)


def _make_sample(learn: Sequence[Peek], tests: Sequence[Peek]) -> Table | None:
    """The test ids and an empty column for what only the training table has."""
    for test in tests:
        for train in learn:
            fresh = [c for c in train.columns if c not in test.columns]
            if train.columns[0] == test.columns[0] and len(fresh) == 1:
                ids = read(test.file, as_text=None)[[test.columns[0]]]
                return ids.assign(**{fresh[0]: ""})
    return None


def _rows_to_predict(sample: Table, tests: Sequence[Peek]) -> tuple[Table, list[str]]:
    """The test table in the order of the sample, and the sample's columns that name a row."""
    columns = [str(c) for c in sample.columns]
    names_rows = [c for c in columns[:-1] if sample[c].is_unique and not c.startswith(NO_NAME)]
    for peek in tests:
        table = read(peek.file, as_text=[c for c in peek.columns if c in columns])
        if table is None:
            continue
        shared = [c for c in columns if c in table.columns]
        if shared and len(shared) < len(columns):
            aligned = _aligned(sample, table.fillna(dict.fromkeys(shared, "")), shared)
            if aligned is not None:
                return aligned, shared
        for key in names_rows:
            aligned = _aligned_by_values(sample, table, key)
            if aligned is not None:
                return aligned, columns[: columns.index(key) + 1]
    known = columns[: columns.index(names_rows[0]) + 1] if names_rows else columns[:1]
    return sample.iloc[:, :0], known


def _aligned_by_values(sample: Table, table: Table, key: str) -> Table | None:
    """The test table by a column that has the sample's ids under another name."""
    for column in table.columns:
        values = table[column].astype(str)
        if _overlap(sample[key], values) >= ENOUGH:
            return _aligned(sample, table.assign(**{key: values}), [key])
    return None


def _aligned(sample: Table, table: Table, keys: list[str]) -> Table | None:
    if len(table) == len(sample) and all(
        (table[k].astype(str).to_numpy() == sample[k].to_numpy()).all() for k in keys
    ):
        return table.reset_index(drop=True)
    keyed = table.astype(dict.fromkeys(keys, str)).drop_duplicates(keys)
    if _overlap(sample[keys[0]], keyed[keys[0]]) < ENOUGH:
        return None
    return sample[keys].merge(keyed, on=keys, how="left")


def _overlap(wanted: Any, found: Any) -> float:
    return float(wanted.isin(set(found)).mean())


def _fitness(peek: Peek, keys: list[str], targets: list[str]) -> float:
    name = peek.file.path.lower()
    return (
        4 * all(t in peek.columns for t in targets)
        + 2 * any(k in peek.columns for k in keys)
        + 2 * ("train" in name)
        + ("label" in name)
        - 0.01 * len(name)
    )


def _find_truth(
    peek: Peek, test: Table, keys: list[str], targets: list[str]
) -> tuple[dict[str, str], str | None]:
    """The columns with the targets: by name, as one class column, or by elimination."""
    if not _looks_like_training(peek, test, keys):
        return {}, None
    named = {t: t for t in targets if t in peek.columns}
    if named:
        return named, None
    if len(targets) > 1:
        return {}, _class_column(peek, targets)
    fresh = [c for c in peek.columns if c not in test.columns and c not in keys]
    usual = [c for c in fresh if c.lower() in TARGET_NAMES]
    if usual or len(fresh) == 1:
        return {targets[0]: (usual or fresh)[0]}, None
    return {}, None


def _looks_like_training(peek: Peek, test: Table, keys: list[str]) -> bool:
    name = peek.file.path.lower()
    shares_columns = any(c in peek.columns for c in [*keys, *test.columns])
    return "train" in name or "label" in name or shares_columns


def _class_column(peek: Peek, targets: list[str]) -> str | None:
    for column in peek.columns:
        values = {v for v in peek.head[column] if v}
        if values and values <= set(targets):
            return column
    return None
