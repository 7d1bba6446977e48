"""A row for every run, for the page and as CSV: only fields that are named here ever leave."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlebench.errors import UsageError
from mlebench.results.attempts import Attempt
from mlebench.results.boards import Boards
from mlebench.results.figures import Results
from mlebench.results.spending import cost_of, tokens_of
from mlebench.results.tables import format_table
from mlebench.system.files import write_atomically

LETTERS = {"gold": "G", "silver": "S", "bronze": "B"}
WORDS = {
    "G": "gold",
    "S": "silver",
    "B": "bronze",
    "+": "above median",
    "–": "below median",
    "×": "invalid",
    "!": "failed",
}
CSS = {"G": "G", "S": "S", "B": "B", "+": "above", "–": "below", "×": "invalid", "!": "failed"}
HEAD = (
    "competition",
    "agent",
    "seed",
    "outcome",
    "data",
    "score",
    "rank",
    "teams",
    "teams beaten",
    "hours",
    "validations",
    "tokens",
    "cost",
)
NUMBERS = tuple(name for name in HEAD if name not in ("competition", "agent", "outcome", "data"))


def outcome(attempt: Attempt) -> str:
    """One letter: G S B medals, + above and – below the median, × invalid, ! failed."""
    report = attempt.report
    if report is None:
        return "!"
    if not report.valid_submission:
        return "×"
    if medal := report.medal:
        return LETTERS[medal]
    return "+" if report.above_median else "–"


def data_of(attempt: Attempt) -> str | None:
    """What a score was computed on: `real`, `synthetic` (a rehearsal) or `demonstration`."""
    if attempt.report is None:
        return None
    if attempt.report.is_rehearsal:
        return "synthetic"
    return "demonstration" if attempt.report.is_demonstration else "real"


def ordered(attempts: Sequence[Attempt], boards: Boards) -> list[Attempt]:
    """By complexity and competition, then agent and seed."""
    keys = {a.competition_id: boards.sort_key(a.competition_id) for a in attempts}
    return sorted(attempts, key=lambda a: (keys[a.competition_id], a.agent, a.seed))


def values(attempt: Attempt) -> list[Any]:
    """The cells of a run, unrounded, in the order of HEAD."""
    report, run = attempt.report, attempt.run
    return [
        attempt.competition_id,
        attempt.agent,
        attempt.seed,
        outcome(attempt),
        data_of(attempt),
        attempt.score,
        report.rank if report else None,
        report.teams if report else None,
        report.human_rank if report else None,
        None if run is None or run.seconds is None else run.seconds / 3600,
        run.validations if run else None,
        tokens_of(run),
        cost_of(run),
    ]


def shown(row: Sequence[Any]) -> list[str | None]:
    """The cells as people read them."""
    competition, agent, seed, letter, data, *figures = row
    score, rank, teams, beaten, hours, checks, tokens, cost = figures
    return [
        competition,
        agent,
        str(seed),
        f"{letter} {WORDS[letter]}",
        data,
        None if score is None else f"{score:.5f}",
        None if rank is None or teams is None else f"{rank:,} of {teams:,}",
        None if teams is None else f"{teams:,}",
        None if beaten is None else f"{beaten:.1%}",
        None if hours is None else f"{hours:.2f}",
        None if checks is None else f"{checks:,}",
        None if tokens is None else f"{tokens:,}",
        None if cost is None else f"{cost:.2f}",
    ]


def columns(attempts: Sequence[Attempt]) -> dict[str, list[Any]]:
    """The same as columns, rounded to what is shown: small when compressed."""
    digits = {"teams beaten": 4, "hours": 3, "cost": 4}
    found: dict[str, list[Any]] = {name: [] for name in HEAD}
    for attempt in attempts:
        for name, value in zip(HEAD, values(attempt), strict=True):
            if name in digits and value is not None:
                value = round(value, digits[name])
            found[name].append(value)
    return found


def write_csv(results: Results, path: Path) -> None:
    """All runs as CSV; no cell is a formula."""
    rows = [
        ["" if value is None else f"{value}" for value in values(attempt)]
        for attempt in ordered(results.attempts, results.boards)
    ]
    write_whole(format_table(HEAD, rows, "csv"), path)


def write_whole(text: str, path: Path) -> None:
    """A text file that the user asked for, in one step."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
