"""What a reader needs to trust the numbers: what was closed and open, copies, known faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mlebench.results.attempts import Attempt, find_equal_submissions
from mlebench.results.figures import Results
from mlebench.results.markup import Markup, element, join, table

MAX_ROWS = 100


def statement(results: Results) -> Markup:
    """What was closed, what was open, what was counted, and what nobody can know."""
    attempts = results.attempts
    runs = [attempt.run for attempt in attempts if attempt.run]
    models = {a.group.settings.model for a in attempts if a.group and a.group.settings.model}
    restarts = sum(len(run.attempts) for run in runs)
    gradings = " / ".join(map(str, results.gradings.values()))
    checks = sum(run.validations for run in runs)
    lines = {
        "Closed": f"isolation: {_found(attempts, 'isolation')};"
        f" network: {_found(attempts, 'network')}; answers never inside the sandbox.",
        "Open": f"model calls to {', '.join(sorted(models))}." if models else "no model.",
        "Counted": f"gradings {gradings}; {checks:,} validations of format;"
        f" {restarts:,} starts that did not count.",
        "Unknown": "what a model saw of these competitions in its training, and what the owner of"
        " the machine did beside these runs.",
    }
    items = [join([element("dt", name), element("dd", text)]) for name, text in lines.items()]
    return element("dl", *items)


def _found(attempts: Iterable[Attempt], name: str) -> str:
    found = {str(value) for a in attempts if (value := getattr(a.conditions, name)) is not None}
    return " / ".join(sorted(found)) or "not recorded"


def equal_submissions(results: Results) -> Markup:
    """Seeds or agents that are not independent of one another."""
    found = find_equal_submissions(results.attempts)
    if not found:
        return element("p", "None: no two attempts at a competition left the same file.")
    rows = [[same[0].competition_id, len(same), _names(same)] for same in found[:MAX_ROWS]]
    more = f"{len(found) - MAX_ROWS:,} more are left out." if len(found) > MAX_ROWS else ""
    return join(
        [
            table(("competition", "attempts", "who"), rows, numbers=("attempts",)),
            element("p", more) if more else "",
        ]
    )


def _names(same: Sequence[Attempt]) -> str:
    words = [f"{attempt.agent} seed {attempt.seed}" for attempt in same[:12]]
    return ", ".join(words) + (" …" if len(same) > 12 else "")


def known_faults(results: Results) -> Markup:
    """Faults of the published data that these results carry on, for the sake of comparison."""
    names = sorted({a.competition_id for a in results.attempts}, key=results.boards.sort_key)
    rows = [
        [name, fault] for name in names for fault in results.boards.facts(name).get("faults", ())
    ]
    if not rows:
        return element("p", "None known.")
    return table(("competition", "fault"), rows)
