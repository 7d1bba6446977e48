"""Revision v1.1: what it changes in a competition, declared in the competition's `revision.py`.

Everything that is not declared stays as in v1, except two rules for all competitions: test items
are published in the order of their ids (`preparing/order.py`), and a submission must be as plain as
the sample submission (`grading/strict.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mlebench.archives.raw import Raw
    from mlebench.definition import CompetitionDefinition, Rounding
    from mlebench.formats import Format
    from mlebench.formats.clusters import Clusters
    from mlebench.metrics import Metric

Comparability = Literal["same", "near", "new"]
"""`same`: an honest submission to v1 has the same score and medal. `near`: test rows and metric are
the same, but other information is public. `new`: other rows or another metric."""

Scoring = Literal["scored", "reported", "withdrawn"]
"""`reported` results are shown but are not part of the medal rate."""


REPLACED = (
    "prepare",
    "submission",
    "metric",
    "clusters",
    "rounding",
    "answers",
    "sample_submission",
    "gold_submission",
    "prize_usd",
    "texts",
)
"""Fields of a definition that a change may replace."""

GOLD = "private/gold_submission.csv"
"""Written from the answers, where the preparation writes none of its own."""


@dataclass(frozen=True)
class Fix:
    """A fault of v1 and what v1.1 does about it, each in one sentence."""

    fault: str
    change: str
    issue: str | None = None
    """Number in the published benchmark's tracker (`#77`), if it was reported."""

    traces: tuple[str, ...] = ()
    """What programs that use the fault contain, for `mlebench integrity`: each is a word, or a few
    words that occur near each other, such as `tfrec test target`."""


@dataclass(frozen=True)
class Noisy:
    """Chance decides medals, since few units of the test, or teams of the board, make them.

    Five disjoint test folds that are scored together would help. No competition has them, since a
    run has one train part, which would contain the labels of the other folds.
    """

    count: int
    unit: str
    """What is few, in the plural: test patients, teams of the board."""

    folds: str
    """Why there are no five test folds."""

    def __str__(self) -> str:
        return f"noisy: {self.count} {self.unit}, so that chance decides medals; {self.folds}"


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What revision v1.1 changes in one competition; fields that are None stay as in v1."""

    fixes: tuple[Fix, ...] = ()
    comparability: Comparability = "same"
    scoring: Scoring = "scored"
    reason: str = ""
    """Why the competition is not scored."""

    flags: tuple[str, ...] = ()
    """What to know about the board or the data, which no change can fix."""

    noisy: Noisy | None = None

    has_drawn_sample: bool = False
    """Whether the guesses of the sample submission are drawn row by row in the order of the split;
    then rows take the guesses in the order of their ids."""

    note: str = ""
    """What differs from the descriptions of v1, for the agent; added to both of them."""

    prepare: Callable[[Raw, Path, Path], object] | None = None
    submission: Format | None = None
    metric: Metric | None = None
    clusters: Clusters | None = None
    rounding: Rounding | None = None
    answers: str | None = None
    sample_submission: str | None = None
    gold_submission: str | None = None
    prize_usd: int | None = None
    texts: tuple[str, ...] | None = None

    @property
    def all_flags(self) -> tuple[str, ...]:
        return (*self.flags, *([str(self.noisy)] if self.noisy else []))

    @property
    def is_scored(self) -> bool:
        return self.scoring == "scored"

    def describe(self, text: str) -> str:
        """A description of v1 with the note."""
        return (
            f"{text.rstrip()}\n\n## Changes in this revision\n\n{self.note}\n"
            if self.note
            else text
        )

    def apply(self, definition: CompetitionDefinition) -> CompetitionDefinition:
        """The definition of v1.1."""
        changed = {name: getattr(self, name) for name in REPLACED}
        # What v1 accepts although it is broken, v1.1 refuses; an empty text can be a prediction.
        kept = definition.accepts & {"renumbered", "ordered", "nan"}
        stated = {name: value for name, value in changed.items() if value is not None}
        revised = replace(definition, **stated, accepts=kept)
        return revised if revised.gold_submission else replace(revised, gold_submission=GOLD)
