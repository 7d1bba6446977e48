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
    "rounding",
    "answers",
    "sample_submission",
    "gold_submission",
    "prize_usd",
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


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What revision v1.1 changes in one competition; fields that are None stay as in v1."""

    fixes: tuple[Fix, ...] = ()
    comparability: Comparability = "same"
    scoring: Scoring = "scored"
    reason: str = ""
    """Why the competition is not scored."""

    flags: tuple[str, ...] = ()
    """What to know about the board or the data, which no change of ours can mend."""

    note: str = ""
    """What differs from the descriptions of v1, for the agent; added to both of them."""

    prepare: Callable[[Raw, Path, Path], object] | None = None
    submission: Format | None = None
    metric: Metric | None = None
    rounding: Rounding | None = None
    answers: str | None = None
    sample_submission: str | None = None
    gold_submission: str | None = None
    prize_usd: int | None = None

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
