"""Train for an aim: one learner per target column, on features of tables and files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from . import say
from .budget import Budget
from .features import Features, make_features
from .files import Found
from .fill import filled, is_matrix
from .keyed import PATH, files_of_rows, split_index
from .kinds import Aim, Kind, sample_tells
from .match import Task
from .models import Learner
from .tables import Table
from .vectors import read_vectors

SHARE_FOR_TEST_FILES = 0.3
"""Of the budget, for reading images and other files of the rows to predict."""

SHARE_FOR_TRAIN_FILES = 0.3
"""Of what is then left, for those of training rows."""


def gather(task: Task, aim: Aim, files: Sequence[Found], budget: Budget) -> tuple[Features, Aim]:
    """The features of the rows to learn from, and the aim on those rows."""
    train = task.train.iloc[aim.rows]
    hidden = {*task.truth.values(), task.class_column, PATH, *task.keys[:1]}
    shared = [c for c in task.train.columns if c in task.test.columns and c not in hidden]
    vectors = _file_vectors(task, train, files, budget)
    kept = np.arange(len(train))
    if vectors is not None:
        kept = np.flatnonzero(np.isfinite(vectors[0]).all(axis=1))
        vectors = (vectors[0][kept], vectors[1])
        say(f"files read: {len(kept)} to learn from, {vectors[0].shape[1]} numbers each")
    features = make_features(train.iloc[kept][shared], task.test[shared], vectors)
    return features, replace(aim, truth=aim.truth[kept], rows=aim.rows[kept])


def _file_vectors(
    task: Task, train: Table, files: Sequence[Found], budget: Budget
) -> tuple[Any, Any] | None:
    train_index, test_index = split_index(files)
    names = [c for c in (PATH, *task.keys, *train.columns) if c in train.columns]
    learn_files = files_of_rows(train, list(dict.fromkeys(names)), train_index)
    fresh = [c for c in task.test.columns if c not in task.keys]
    described = task.sample[task.keys].assign(**{str(c): task.test[c].to_numpy() for c in fresh})
    test_files = files_of_rows(described, list(described.columns), test_index)
    if not learn_files or not test_files:
        return None
    test = read_vectors(test_files, budget, SHARE_FOR_TEST_FILES)
    order = np.random.RandomState(0).permutation(len(learn_files))
    learn = np.full((len(learn_files), test.shape[1]), np.nan, dtype=np.float32)
    read = read_vectors([learn_files[k] for k in order], budget, SHARE_FOR_TRAIN_FILES)
    if not test.shape[1] or read.shape[1] != test.shape[1]:
        return None
    learn[order] = read
    return (learn, test) if np.isfinite(learn).all(axis=1).sum() >= 10 else None


def train(
    task: Task, aim: Aim, features: Features, *, budget: Budget, seed: int
) -> Iterator[Table]:
    """Submissions, each better than the one before by the held-out score."""
    learn = _columns_of_numbers if is_matrix(aim) else _classes
    return learn(task, aim, features, budget=budget, seed=seed)


def _classes(
    task: Task, aim: Aim, features: Features, *, budget: Budget, seed: int
) -> Iterator[Table]:
    learner = Learner(features, aim.truth.astype(str), is_class=True, seed=seed)
    if len(learner.classes) < 2:
        return
    names = tuple(str(c) for c in learner.classes)
    for recipes in _progress(learner, budget, 1.0):
        yield filled(aim, task, learner.predict(recipes), names)


def _progress(learner: Learner, budget: Budget, share: float) -> Iterator[list[Any]]:
    """Try the planned recipes; yields the best ones so far whenever they change."""
    chosen: list[Any] = []
    planned, left_out = learner.plan(budget, share)
    for recipe in left_out:
        say(f"  {recipe.name}: not planned, too much work for the time limit")
    for recipe in planned:
        if chosen and budget.is_late:
            break
        trial = learner.try_out(recipe, budget.until)
        if trial is None:
            say(f"  {recipe.name}: does not fit, or takes too long")
            continue
        say(f"  {recipe.name}: {_score(learner, trial.held_out)} ({trial.seconds:.1f} s)")
        if learner.best()[0] != chosen:
            chosen = learner.best()[0]
            yield chosen
    if chosen:
        names = " + ".join(recipe.name for recipe in chosen)
        say(f"chosen: {names}, held-out {_score(learner, learner.best()[2])}")


def _score(learner: Learner, held_out: Any) -> str:
    loss = learner.loss(held_out)
    if not learner.is_class:
        return f"error {loss:.5g}"
    return f"accuracy {learner.accuracy(held_out):.4f}, log loss {loss:.4f}"


def _columns_of_numbers(
    task: Task, aim: Aim, features: Features, *, budget: Budget, seed: int
) -> Iterator[Table]:
    """One learner per column; the first finds the recipe, the others use it."""
    as_flags = aim.kind in (Kind.FLAGS, Kind.TAGS)
    count = aim.truth.shape[1]
    columns = _starting_point(task, aim)
    recipes: list[Any] = []
    for k in range(count):
        target = aim.truth[:, k]
        if len(np.unique(target)) < 2:
            continue
        learner = Learner(features, target, is_class=as_flags, seed=seed)
        if recipes:
            if budget.is_late or not budget.take(learner.cost(recipes)):
                break
            # A column with too few rows of a class keeps its constant.
            with contextlib.suppress(ValueError):
                columns[:, k] = learner.predict(recipes)[:, -1]
            continue
        for recipes in _progress(learner, budget, 1.0 if count == 1 else 0.5):
            columns[:, k] = learner.predict(recipes)[:, -1]
            yield filled(aim, task, columns, ())
    if recipes and count > 1:
        yield filled(aim, task, columns, ())


def _starting_point(task: Task, aim: Aim) -> Any:
    """The columns before any training: the sample's numbers, or the mean."""
    if aim.kind is not Kind.TAGS and sample_tells(task):
        known = [t for t in task.targets if t in task.truth]
        numbers = task.sample[known].apply(pd.to_numeric, errors="coerce")
        return numbers.to_numpy(dtype=float, copy=True)
    return np.tile(aim.truth.mean(axis=0), (len(task.sample), 1))
