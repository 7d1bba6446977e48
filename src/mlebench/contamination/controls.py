"""Control texts: real and invented competitions, described in the same way from bare facts.

Each text consists of the same sentences with other facts, in an order and wording that depend only
on the name. No model saw them before the date below, so their familiarity shows how predictable
such a text is.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from mlebench.definition import CompetitionDefinition

WRITTEN = "2026-11-16"
"""No control text existed before this date."""


@dataclass(frozen=True)
class TaskFacts:
    """What a control text says."""

    category: str
    metric: str
    is_lower_better: bool
    row: str
    """What a row of the test data is called."""

    columns: tuple[str, ...]
    gigabytes: float | None


INVENTED = {
    "lighthouse-lamp-failures": ("Tabular", "log loss", True, "lamp_key", "fails_soon"),
    "beehive-hum-season": ("Audio Classification", "accuracy", False, "hive_clip", "season"),
    "attic-postcard-decades": ("Image Classification", "accuracy", False, "card", "decade"),
    "tram-bell-intervals": ("Signal Processing", "mean absolute error", True, "bell", "gap_ms"),
    "orchard-ladder-heights": ("Image Regression", "root mean squared error", True, "shot", "cm"),
    "harbour-crane-queues": ("Forecasting", "mean absolute error", True, "slot", "ships_waiting"),
    "recipe-step-order": ("Text Classification", "rank correlation", False, "step_id", "position"),
    "glacier-stone-outlines": ("Image Segmentation", "intersection over union", False, "tile", "m"),
    "choir-voice-parts": ("Audio Classification", "area under curve", False, "bar_id", "voice"),
    "umbrella-stand-losses": ("Tabular", "area under curve", False, "stand_id", "was_lost"),
    "letterbox-handwriting": ("Image to Text", "edit distance", True, "scan_id", "address"),
    "kite-string-tension": ("Signal Processing", "root mean squared error", True, "t", "newton"),
    "museum-label-topics": ("Text Classification", "mean f1 score", False, "label_id", "topics"),
    "pond-frog-counts": ("Object Detection", "average precision", False, "frame_id", "boxes"),
    "snow-plough-routes": ("Forecasting", "log loss", True, "segment_id", "is_cleared"),
    "button-factory-sorting": ("Image Classification", "log loss", True, "button_id", "kind"),
    "library-return-delays": ("Tabular", "mean absolute error", True, "loan_id", "days_late"),
    "theatre-prompt-questions": ("Question Answering", "word overlap", False, "cue_id", "answer"),
    "weather-vane-turns": ("Signal Processing", "mean angular error", True, "vane_id", "degrees"),
    "market-stall-baskets": ("Recommendation", "mean precision", False, "buyer_id", "goods"),
}
"""Competitions that do not exist: category, metric, direction, id and target."""

GOAL = (
    "The task belongs to the field {category}. Nothing but the supplied files may be used.",
    "This is a problem of {category}; a program has to answer it from the supplied files alone.",
    "Work on {category}: learn from labelled examples, then predict what was left out.",
)
DATA = (
    "The data comes in a folder of about {size}. A labelled part is for training, and another part"
    " without labels is what predictions are wanted for.",
    "About {size} of files are supplied. Some of the examples carry labels; the others are the"
    " test, and their labels stay hidden.",
)
FORM = (
    "Hand in one file of comma-separated values. The first row names the columns: {head}. Then"
    " follows one row for each value of {row} in the test part.",
    "The result is a table with the columns {head}. It holds every {row} of the test part exactly"
    " once; missing, repeated or unknown values of {row} make it invalid.",
)
SCORE = (
    "Predictions are compared with the hidden labels by {metric}. {better} values are better.",
    "The measure is {metric}, where a {better_low} value means a better prediction.",
)
ADVICE = (
    "Begin with a constant guess, so that the form is known to be right. Keep a part of the"
    " training data aside and compare every change on it. Average several models at the end.",
    "Look at a few examples by eye before any model is trained. Write down the score of the"
    " simplest method first, then improve one thing at a time and keep what helps.",
)
ENDING = (
    "Time and memory are limited, so the size of a model matters as much as its kind.",
    "There is no connection to a network, and only the last file that was written counts.",
)


def facts_of(definition: CompetitionDefinition) -> TaskFacts:
    """The facts of a real competition that a control text may state."""
    form = definition.submission
    targets = getattr(form, "targets", ["prediction"])
    return TaskFacts(
        category=definition.category,
        metric=definition.metric.name.replace("_", " "),
        is_lower_better=definition.metric.is_lower_better,
        row=str(getattr(form, "id", "id")),
        columns=tuple(map(str, targets[:4])),
        gigabytes=definition.dataset_gb,
    )


def describe_facts(name: str, facts: TaskFacts) -> str:
    """A description that states the facts and no name; the same for the same name and facts."""
    choice = random.Random(name)
    better = "Lower" if facts.is_lower_better else "Higher"
    words = {
        "category": facts.category.lower(),
        "size": f"{facts.gigabytes:g} gigabytes" if facts.gigabytes else "a few megabytes",
        "head": ", ".join((facts.row, *facts.columns)),
        "row": facts.row,
        "metric": facts.metric,
        "better": better,
        "better_low": better.lower(),
    }
    parts = [choice.choice(sentences).format(**words) for sentences in (GOAL, DATA, FORM, SCORE)]
    ending = [choice.choice(ADVICE), choice.choice(ENDING)]
    choice.shuffle(ending)
    return "\n\n".join([*parts, *ending]) + "\n"


def decoys() -> list[tuple[str, str]]:
    """Name and description of each invented competition."""
    found = []
    for name, (category, metric, is_lower, row, target) in INVENTED.items():
        size = random.Random(f"size of {name}").choice([None, 0.1, 0.8, 3.5, 20])
        facts = TaskFacts(category, metric, is_lower, row, (target,), size)
        found.append((name, describe_facts(name, facts)))
    return found
