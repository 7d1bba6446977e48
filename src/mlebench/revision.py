"""Revision v1.1: what it changes in a competition, declared in the competition's `revision.py`.

Everything that is not declared stays as in v1, except three rules for all competitions: test items
are published in the order of their ids (`preparing/order.py`), their pictures have listed tags only
(`preparing/pictures/`), and a submission must be as plain as the sample submission
(`grading/strict.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
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
    """Chance decides medals, because the test has few units or the leaderboard few teams.

    Scoring five disjoint test folds together would help. No competition has them, because a run
    has one train part, which would contain the labels of the other folds.
    """

    count: int
    unit: str
    """The name of the units, in the plural: test patients, teams of the board."""

    folds: str
    """Why there are no five test folds."""

    def __str__(self) -> str:
        return f"noisy: {self.count} {self.unit}, so that chance decides medals; {self.folds}"


def shown_in_train(labels: str) -> str:
    """Why there are no five test folds, where a train part would contain labels of the others."""
    return f"a run has one train part, in which the {labels} of the other folds would be"


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What revision v1.1 changes in one competition.

    Fields that a definition has too, from `prepare` on, replace its fields unless they are None.
    """

    fixes: tuple[Fix, ...] = ()
    comparability: Comparability = "same"
    scoring: Scoring = "scored"
    reason: str = ""
    """Why the competition is not scored."""

    flags: tuple[str, ...] = ()
    """Facts about the leaderboard or the data that no change can fix."""

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
        if not self.note:
            return text
        return f"{text.rstrip()}\n\n## Changes in this revision\n\n{self.note}\n"

    def apply(self, definition: CompetitionDefinition) -> CompetitionDefinition:
        """The definition of v1.1."""
        changed = {field.name: getattr(self, field.name, None) for field in fields(definition)}
        # What v1 accepts although it is broken, v1.1 refuses; an empty text can be a prediction.
        kept = definition.accepts & {"renumbered", "ordered", "nan"}
        stated = {name: value for name, value in changed.items() if value is not None}
        revised = replace(definition, **stated, accepts=kept)
        return revised if revised.gold_submission else replace(revised, gold_submission=GOLD)


# Fixes and flags of several competitions.
RESCALED_ROWS = Fix(
    "rows of probabilities that do not sum to 1 are refused, although Kaggle rescaled them",
    "such rows are divided by their sum",
)
TEXT_CELLS = Fix(
    "one cell of text turns the column into text, and the score is 0",
    "a cell that is not a whole number is refused with a reason",
)
DRAWN_SAMPLE = Fix(
    "the guesses of the sample submission are drawn in the order of the split, so that they"
    " tell each row's place in it",
    "rows take the guesses in the order of their ids",
)
PAIRED_RUNS = Fix(
    "three numbers `a n b` are two runs of the length n, and a single number marks nothing",
    "a list of runs has a length for each start",
)
CROWDED_BOARD = "crowded board: bronze and gold are closer than the sampling error of a score"
EASIER_TEST = "easier than the board: the test is drawn from Kaggle's training data"
EXTERNAL_COPY = (
    "external copy: the source is public, so that pretrained models may have seen test items"
)
NEAR_DUPLICATES = "near-duplicate pictures may be in train and test: `mlebench audit` counts them"
