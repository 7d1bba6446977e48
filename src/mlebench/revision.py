"""Revision v1.1: what it changes in a competition, declared in the competition's `revision.py`.

Everything that is not declared stays as in v1, except three rules for all competitions: test items
are published in the order of their ids (`preparing/order.py`), their pictures have listed tags only
(`preparing/pictures/`), and a submission must be as plain as the sample submission
(`grading/strict.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
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

REWORDED = {
    r"\b((?:further|other|more|additional) columns(?: are)?) (?:ignored|not read)\b": r"\1 refused",
    r"\bcolumns do no harm\b": "columns are refused",
    r"\bodd (number|count) of (?:five or more numbers|numbers from five upwards)\b": (
        r"odd \1 of numbers"
    ),
    r"\brows are in random order\b": "Training rows are in random order",
    r"\border of rows is random\b": "order of training rows is random",
}
"""Patterns of phrases that are not true in v1.1 of any competition, and what replaces them; a blank
in a pattern is any white space."""

STRICT_RULES = """\
## Rules for every submission

A submission is refused, with a reason and without a score, if it has a column that the sample
submission lacks, if its ids are not those of the sample submission, each as often as there, if a
number is not finite or has blanks around it, or if a cell is empty where the text above does not
allow it. These rules hold even where the text above does not mention them.
"""
"""What `grading/strict.py` checks, for the agent."""

SECTION_TEXT = r"(?:(?!\n## )[\s\S])*?"
ONE_GAP = r"(?:[ \t]+|[ \t]*\n(?!\n))?"
"""White space up to the next sentence, table row or list item, but not to the next paragraph."""


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

    refused: str = ""
    """Why Kaggle may refuse the download for good, for `mlebench doctor`; the same in v1."""

    has_drawn_sample: bool = False
    """Whether the guesses of the sample submission are drawn row by row in the order of the split;
    then rows take the guesses in the order of their ids."""

    refuses_gaps: bool = False
    """Whether an empty cell, which v1 accepts, is refused; elsewhere it is an empty prediction."""

    passages: Mapping[str, str] = field(default_factory=dict)
    """Passages of the descriptions of v1 that are not true in v1.1, and what replaces them.

    Each is in one of the two descriptions or in both. Any white space separates its words, and `…`
    stands for what is between two places of a section, at the end for the rest of the section."""

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
        """A description of v1 as it is true in v1.1."""
        for old, new in self.passages.items():
            text = replace_passage(text, old, new)
        for pattern, new in REWORDED.items():
            text = re.sub(pattern.replace(" ", r"\s+"), new, text, flags=re.IGNORECASE)
        return f"{text.rstrip()}\n\n{STRICT_RULES}"

    def apply(self, definition: CompetitionDefinition) -> CompetitionDefinition:
        """The definition of v1.1."""
        changed = {field.name: getattr(self, field.name, None) for field in fields(definition)}
        # What v1 accepts although it is broken, v1.1 refuses; an empty text can be a prediction.
        kept = definition.accepts & {"renumbered", "ordered"}
        if not self.refuses_gaps:
            kept |= definition.accepts & {"nan"}
        stated = {name: value for name, value in changed.items() if value is not None}
        revised = replace(definition, **stated, accepts=kept)
        return revised if revised.gold_submission else replace(revised, gold_submission=GOLD)


def replace_passage(text: str, old: str, new: str) -> str:
    """The text with a passage replaced wherever it occurs; see `Changes.passages`."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in old.split("…")]
    pattern = SECTION_TEXT.join(parts)
    if old.endswith("…"):
        pattern, new = pattern + r"(?=\n## |\Z)", new + "\n"
    return re.sub(pattern if new else pattern + ONE_GAP, lambda _: new, text)


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
WHOLE_CLASSES = Fix("a class number with a fraction is truncated", "a class is a whole number")
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
