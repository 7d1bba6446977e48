"""Make the best submission that the plan for the time limit allows."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from . import say
from .budget import Budget
from .fallback import write_whole
from .files import Found
from .fill import as_csv, constant
from .keyed import classes_from_names
from .kinds import Kind, decide, sample_tells
from .match import Task, understand
from .train import gather, train


def improve(
    files: list[Found], out: Path, *, seconds: float, seed: int, started: float | None = None
) -> None:
    """Write a constant submission, then that of a model; each better one replaces the last.

    Args:
        seconds: the time limit; it decides what is tried.
        started: when the time began, by `time.monotonic()`; now, if not given.
    """
    budget = Budget(seconds, time.monotonic() if started is None else started)
    task = understand(files)
    if task is None:
        say("neither a sample submission nor a pair of tables was found")
        return
    task = _with_folders(task, files)
    say(f"rows to predict: {len(task.sample)}, rows to learn from: {len(task.train)}")
    aim = decide(task, _description(files))
    if aim is None:
        say("this agent does not know this kind of target: the sample submission stays")
        return
    say(f"target: {', '.join(task.targets[:5])}: {aim.kind.value}")
    if aim.kind is Kind.SPAN or not sample_tells(task):
        write_whole(as_csv(constant(aim, task)), out)
    if aim.kind is Kind.SPAN:
        return
    features, aim = gather(task, aim, files, budget)
    say(
        f"features: {len(features.numbers)} numbers, {len(features.categories)} categories,"
        f" {len(features.texts)} texts"
    )
    if features.is_empty or len(aim.rows) < 10:
        say("there are no features to learn from: the constant submission stays")
        return
    for submission in train(task, aim, features, budget=budget, seed=seed):
        write_whole(as_csv(submission), out)


def _with_folders(task: Task, files: list[Found]) -> Task:
    """Without a training table, take the classes from folders or file names."""
    if len(task.train) or len(task.targets) != 1:
        return task
    target = task.targets[0]
    table = classes_from_names(files, target)
    return task if table is None else replace(task, train=table, truth={target: target})


def _description(files: list[Found]) -> str:
    texts = (file.read() for file in files if file.name == "description.md")
    return next(texts, b"").decode("utf-8", "replace")
