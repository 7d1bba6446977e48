"""What a cell of the submission contains, inferred from the sample and the training target."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import pandas as pd

from .match import Task

PROBABILITY_WORDS = re.compile(
    r"probabilit|area under|\bauc\b|\broc\b|log.?loss|logarithmic loss", re.I
)
LABEL_WORDS = re.compile(r"matthews|accuracy|\bf.?1\b|f.?score|f.?beta|dice|jaccard", re.I)
METRIC_PART = re.compile(r"^#+ *(metric|evaluation).*?(?=^#|\Z)", re.I | re.M | re.S)
KAPPA_WORDS = re.compile(r"quadratic.{0,20}kappa", re.I | re.S)


class Kind(Enum):
    """One way to fill the target columns."""

    LABEL = "one class"
    ORDERED = "one class of an ordered scale"
    PROBABILITY = "the probability of one class"
    SHARES = "a probability for each class"
    FLAGS = "a probability for each of several yes/no questions"
    NUMBERS = "numbers"
    BEST = "the most likely classes, best first"
    TAGS = "several labels"
    SPAN = "a part of a text"


@dataclass(frozen=True)
class Aim:
    """What to learn: the kind, and the training truth in the shape that the kind needs."""

    kind: Kind
    truth: Any
    """Texts of one class column, or a matrix of numbers, one column per target or label."""

    rows: Any
    """Indices of the training rows that have a truth."""

    labels: tuple[str, ...] = ()
    """The meaning of the columns of a matrix of flags."""

    source: str = ""
    """The column that a span is part of."""

    best: int = 1
    """How many classes a cell names."""


def decide(task: Task, description: str) -> Aim | None:
    """The aim; None if this agent can do no better than the sample."""
    if task.class_column:
        return _classes(Kind.SHARES, task.train[task.class_column])
    if not task.truth:
        return None
    if len(task.targets) > 1:
        return _many_numbers(task)
    column = task.train[task.truth[task.targets[0]]].fillna("")
    return _one_column(task, _as_asked(task.sample[task.targets[0]], column), description)


def _as_asked(given: Any, column: Any) -> Any:
    """True and False as 1 and 0 if the sample has numbers."""
    if _are_numbers(given) and set(column.unique()) <= {"True", "False"}:
        return column.map({"True": "1", "False": "0"})
    return column


def _are_numbers(given: Any) -> bool:
    return bool(pd.to_numeric(given, errors="coerce").notna().all())


def _many_numbers(task: Task) -> Aim | None:
    columns = [task.train[task.truth[t]] for t in task.targets if t in task.truth]
    matrix = np.column_stack([pd.to_numeric(c, errors="coerce") for c in columns])
    rows = np.flatnonzero(np.isfinite(matrix).all(axis=1))
    if len(rows) < 0.5 * len(matrix) or not len(rows):
        return None
    matrix = matrix[rows]
    if not np.isin(matrix, (0, 1)).all():
        if len(columns) == len(task.targets) and sums_to_one(task):
            matrix = matrix / np.maximum(matrix.sum(axis=1, keepdims=True), 1e-9)
        return Aim(Kind.NUMBERS, matrix, rows)
    if len(columns) < len(task.targets):
        return None
    if (matrix.sum(axis=1) == 1).all():
        names = np.array(task.targets, dtype=object)[matrix.argmax(axis=1)]
        return Aim(Kind.SHARES, names, rows)
    return Aim(Kind.FLAGS, matrix, rows, tuple(task.targets))


def sums_to_one(task: Task) -> bool:
    """Whether the rows of the sample are probabilities that sum to one."""
    values = task.sample[task.targets].apply(pd.to_numeric, errors="coerce").to_numpy()
    return bool(values.shape[1] > 1 and np.allclose(values.sum(axis=1), 1, atol=1e-3))


def sample_tells(task: Task) -> bool:
    """Whether the rows of the sample differ so that a constant should not replace them.

    Different texts are better than a constant. Different numbers in many columns make a metric by
    rank likely, which is undefined for constants.
    """
    column = task.sample[task.targets[0]]
    is_number = pd.to_numeric(column, errors="coerce").notna().mean() > 0.5
    return column.nunique() > 1 and (not is_number or len(task.targets) > 1)


def _one_column(task: Task, column: Any, description: str) -> Aim | None:
    given = task.sample[task.targets[0]]
    filled = column[column != ""]
    if not len(filled):
        return None
    numbers = pd.to_numeric(filled, errors="coerce")
    if numbers.notna().all():
        return _numeric_column(given, column, numbers, description)
    if _are_numbers(given):
        # Texts where numbers are expected: the alphabetically later of two classes is 1.
        return _classes(Kind.PROBABILITY, column) if filled.nunique() == 2 else None
    span = _span(task, column)
    if span:
        return span
    count = int(given.str.split().str.len().max() or 0)
    is_list = bool(filled.str.strip().str.contains(" ").any())
    if is_list and not _is_name(given, filled):
        return _tags(given, column)
    if _asks_for_many(given, filled):
        return _classes(Kind.BEST, column, count)
    if filled.nunique() > max(2, 0.6 * len(filled)):
        return None
    return _classes(Kind.LABEL, column)


def _numeric_column(given: Any, column: Any, numbers: Any, description: str) -> Aim | None:
    values = set(numbers.unique())
    asked = pd.to_numeric(given, errors="coerce")
    count = int(given.str.split().str.len().max() or 0)
    is_whole = bool((numbers % 1 == 0).all())
    if count > 1 and is_whole:
        return _classes(Kind.BEST, column, count)
    if values <= {0, 1} and len(values) == 2:
        has_parts = bool((asked % 1 != 0).any())
        is_probability = has_parts or _wants_probability(description)
        return _classes(Kind.PROBABILITY if is_probability else Kind.LABEL, column)
    if is_whole and bool((asked.dropna() % 1 == 0).all()) and _are_few(numbers):
        if KAPPA_WORDS.search(description) and len(values) <= 20:
            return _number(Kind.ORDERED, column)
        return _classes(Kind.LABEL, column)
    return _number(Kind.NUMBERS, column)


def _wants_probability(description: str) -> bool:
    """Whether the description asks for probabilities; its section on the metric comes first."""
    part = METRIC_PART.search(description)
    metric = part[0] if part else ""
    if LABEL_WORDS.search(metric) and not PROBABILITY_WORDS.search(metric):
        return False
    return bool(PROBABILITY_WORDS.search(description))


def _are_few(numbers: Any) -> bool:
    return int(numbers.nunique()) <= max(20, 0.02 * len(numbers)) or bool(
        numbers.nunique() < 0.6 * len(numbers)
        and numbers.name
        and "id" in str(numbers.name).lower()
    )


def _classes(kind: Kind, column: Any, best: int = 1) -> Aim:
    column = column.fillna("").astype(str)
    rows = np.flatnonzero(column != "")
    return Aim(kind, column.to_numpy(dtype=object)[rows], rows, best=max(1, best))


def _number(kind: Kind, column: Any) -> Aim:
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    rows = np.flatnonzero(np.isfinite(numbers))
    return Aim(kind, numbers[rows, None], rows)


def _is_name(given: Any, filled: Any) -> bool:
    """Whether values with spaces are names of classes, as in `Sugar beet`."""
    return filled.nunique() <= max(20, 0.05 * len(filled)) and (
        bool(given.isin(set(filled)).all()) or bool((given == "").all())
    )


def _asks_for_many(given: Any, filled: Any) -> bool:
    """Whether the sample names several of the classes in a cell."""
    words = set(" ".join(given.head(50)).split())
    return bool(given.str.contains(" ").any()) and len(words & set(filled)) > 0


def _span(task: Task, column: Any) -> Aim | None:
    """A target that is mostly a long part of some text column."""
    wanted = column.astype(str).str.strip()
    for name in task.train.columns:
        if name not in task.test.columns or name in task.keys:
            continue
        texts = task.train[name].fillna("").astype(str)
        pairs = list(zip(wanted, texts, strict=True))
        inside = np.mean([bool(w) and w in t for w, t in pairs])
        length = np.mean([len(w) / max(1, len(t)) for w, t in pairs])
        if inside > 0.8 and length > 0.3:
            return Aim(Kind.SPAN, None, np.arange(len(column)), source=str(name))
    return None


def _tags(given: Any, column: Any) -> Aim | None:
    """Lists of labels from a small vocabulary; None for other texts with spaces."""
    lists = column.str.split()
    flat = [word for words in lists for word in words]
    counts = pd.Series(flat).value_counts()
    repeats = any(len(words) != len(set(words)) for words in [*lists.head(500), *given.str.split()])
    if repeats or len(counts) > 0.3 * len(flat):
        return None
    labels = tuple(str(label) for label in counts.index[:40])
    rows = np.flatnonzero(column != "")
    matrix = np.array([[label in set(words) for label in labels] for words in lists.iloc[rows]])
    usual = int(np.median([len(words) for words in lists.iloc[rows]]))
    return Aim(Kind.TAGS, matrix.astype(float), rows, labels, best=min(usual, len(labels)))
