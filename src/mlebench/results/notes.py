"""Notes for medal rates: what is not counted, and what luck or faults of the data decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mlebench.results.aggregate import revision_of
from mlebench.version import REVISION

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue
    from mlebench.results.attempts import Attempt
    from mlebench.results.boards import Boards

WITHOUT_LEARNING = (
    "Revision v1 awards medals without learning: submissions made from public files and the"
    " grader's rules won them in eleven of its 75 competitions, and probably would in five more."
    " Revision v1.1 fixes them."
)
UNCERTAIN = "a medal cut is inside the 95 % interval of the score"


def notes_on(catalogue: Catalogue, attempts: Sequence[Attempt]) -> list[str]:
    """What a reader of the rates of these attempts should know."""
    revision = revision_of(attempts)
    present = {attempt.competition_id for attempt in attempts}
    unscored = catalogue.unscored(revision)
    kinds = [f"{name} ({unscored[name]})" for name in sorted(present & unscored.keys())]
    found = [f"not part of any rate: {', '.join(kinds)}"] if kinds else []
    scored = [attempt for attempt in attempts if attempt.competition_id not in unscored]
    found += uncertain_note(scored or attempts)
    return [*found, WITHOUT_LEARNING] if revision == REVISION else found


def uncertain_note(attempts: Iterable[Attempt]) -> list[str]:
    """How many medals, and how many scores without one, another sample of test rows may change."""
    graded = [attempt.report for attempt in attempts if attempt.report]
    known = [r for r in graded if r.uncertainty and r.uncertainty.uncertain is not None]
    if not known:
        return []
    medals = [report for report in known if report.any_medal]
    won = sum(report.is_uncertain for report in medals)
    missed = sum(report.is_uncertain for report in known) - won
    return [
        f"uncertain: {won} of {len(medals)} medals and {missed} of {len(known) - len(medals)}"
        f" results without one ({UNCERTAIN})"
    ]


def flags_of(boards: Boards, attempts: Iterable[Attempt]) -> list[tuple[str, str]]:
    """What revision v1.1 says about the boards and data of these competitions."""
    names = sorted({a.competition_id for a in attempts}, key=boards.sort_key)
    return [
        (name, flag)
        for name in names
        for flag in boards.facts(name).get("v1.1", {}).get("flags", ())
    ]
