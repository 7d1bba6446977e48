"""Write predictions into the cells of the submission."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kinds import Aim, Kind, sums_to_one
from .match import NO_NAME, Task
from .tables import Table

TAG_THRESHOLD = 0.3


def constant(aim: Aim, task: Task) -> Table | None:
    """The submission with the same prediction for every row: the most usual value."""
    count = len(task.sample)
    if aim.kind is Kind.SPAN:
        texts = task.test[aim.source].fillna("").astype(str)
        return task.sample.assign(**{task.targets[0]: texts})
    if aim.kind is Kind.ORDERED:
        return filled(aim, task, np.full((count, 1), np.median(aim.truth)), ())
    if is_matrix(aim):
        return filled(aim, task, np.tile(aim.truth.mean(axis=0), (count, 1)), ())
    names, counts = np.unique(aim.truth.astype(str), return_counts=True)
    return filled(aim, task, np.tile(counts / counts.sum(), (count, 1)), tuple(names))


def is_matrix(aim: Aim) -> bool:
    """Whether the truth is a matrix of numbers, not a column of classes."""
    return aim.kind in (Kind.NUMBERS, Kind.ORDERED, Kind.FLAGS, Kind.TAGS)


def filled(aim: Aim, task: Task, predicted: Any, classes: tuple[str, ...]) -> Table:
    """The sample with predictions in its cells.

    Args:
        predicted: one row per row of the sample; one column per class, flag or number.
    """
    return task.sample.assign(**_cells(aim, task, predicted, classes))


def _cells(aim: Aim, task: Task, predicted: Any, classes: tuple[str, ...]) -> dict[str, Any]:
    """The columns that are predicted."""
    first = task.targets[0]
    if aim.kind in (Kind.NUMBERS, Kind.FLAGS):
        return _number_cells(aim, task, predicted)
    if aim.kind is Kind.ORDERED:
        scale = np.unique(aim.truth)
        nearest = scale[np.abs(predicted - scale).argmin(axis=1)]
        return {first: [f"{value:g}" for value in nearest]}
    if aim.kind is Kind.TAGS:
        return {first: [_tags(aim, row) for row in predicted]}
    if aim.kind is Kind.PROBABILITY:
        return {first: predicted[:, -1]}
    if aim.kind is Kind.SHARES:
        return _shares(task, predicted, classes, 1 / len(aim.truth))
    order = np.argsort(-predicted, axis=1, kind="stable")[:, : aim.best]
    names = np.array(classes, dtype=object)[order]
    return {first: [" ".join(row) for row in names] if aim.kind is Kind.BEST else names[:, 0]}


def _number_cells(aim: Aim, task: Task, predicted: Any) -> dict[str, Any]:
    known = [t for t in task.targets if t in task.truth] or task.targets
    bounded = np.clip(predicted, aim.truth.min(axis=0), aim.truth.max(axis=0))
    if aim.kind is Kind.NUMBERS and sums_to_one(task):
        bounded = _rescaled(bounded)
    return {target: bounded[:, k] for k, target in enumerate(known)}


def _shares(task: Task, predicted: Any, classes: tuple[str, ...], unseen: float) -> dict[str, Any]:
    """A column per class; classes without training rows get a small probability."""
    place = {name: k for k, name in enumerate(classes)}
    columns = [
        predicted[:, place[target]] if target in place else np.full(len(predicted), unseen)
        for target in task.targets
    ]
    shares = _rescaled(np.column_stack(columns))
    return {target: shares[:, k] for k, target in enumerate(task.targets)}


def _rescaled(shares: Any) -> Any:
    kept = np.clip(shares, 1e-5, None)
    return kept / kept.sum(axis=1, keepdims=True)


def _tags(aim: Aim, chances: Any) -> str:
    """The likely labels, at least as many as rows usually have."""
    order = np.argsort(-chances, kind="stable")
    count = max(aim.best, int((chances >= TAG_THRESHOLD).sum()))
    return " ".join(aim.labels[k] for k in order[:count])


def as_csv(table: Table) -> bytes:
    """The CSV file; a column without a name keeps an empty header."""
    names = ["" if str(c).startswith(NO_NAME) else str(c) for c in table.columns]
    text: str = table.to_csv(index=False, header=names, lineterminator="\n")
    return text.encode("utf-8")
