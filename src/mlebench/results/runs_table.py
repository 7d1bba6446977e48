"""A row for every run, for the page and as CSV; other fields of a run are never exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlebench.errors import UsageError
from mlebench.results.attempts import Attempt
from mlebench.results.boards import Boards
from mlebench.results.figures import Results
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
UNCERTAIN_MARK = "?"
CSS = {letter: letter if letter in "GSB" else word.split()[0] for letter, word in WORDS.items()}


def outcome(attempt: Attempt) -> str:
    """The letter of an attempt: a key of `WORDS`."""
    report = attempt.report
    if report is None:
        return "!"
    if not report.valid_submission:
        return "×"
    if medal := report.medal:
        return LETTERS[medal]
    return "+" if report.above_median else "–"


def _uncertainty(attempt: Attempt, name: str) -> Any:
    found = attempt.report and attempt.report.uncertainty
    return found and getattr(found, name)


def _rank_interval(attempt: Attempt) -> str | None:
    ranks = _uncertainty(attempt, "rank_interval")
    return f"{ranks[0]:,} to {ranks[1]:,}" if ranks else None


def _yes_or_no(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def mark(attempt: Attempt) -> str:
    """The mark of an uncertain result, which follows its letter."""
    return UNCERTAIN_MARK if attempt.has("is_uncertain") else ""


@dataclass(frozen=True)
class RunColumn:
    """A column of the table."""

    value: Callable[[Attempt], Any]
    """The unrounded value of an attempt; None where there is none."""

    form: str = "{}"
    """The format of a value that is displayed."""

    digits: int | None = None
    """Decimal places of a value in the data of the page: few, so that it compresses well."""

    is_number: bool = True


COLUMNS: Mapping[str, RunColumn] = {
    "competition": RunColumn(lambda a: a.competition_id, is_number=False),
    "agent": RunColumn(lambda a: a.agent, is_number=False),
    "seed": RunColumn(lambda a: a.seed),
    "outcome": RunColumn(outcome, is_number=False),
    "data": RunColumn(lambda a: a.data, is_number=False),
    "score": RunColumn(lambda a: a.score, "{:.5f}"),
    "rank": RunColumn(lambda a: a.report and a.report.rank, "{:,}"),
    "teams": RunColumn(lambda a: a.report and a.report.teams, "{:,}"),
    "teams beaten": RunColumn(lambda a: a.report and a.report.teams_beaten, "{:.1%}", 4),
    "standard error": RunColumn(lambda a: _uncertainty(a, "standard_error"), "{:.3g}", 6),
    "rank interval": RunColumn(_rank_interval, is_number=False),
    "uncertain": RunColumn(lambda a: _yes_or_no(_uncertainty(a, "uncertain")), is_number=False),
    "revision": RunColumn(lambda a: a.conditions.revision, is_number=False),
    "hours": RunColumn(lambda a: a.hours, "{:.2f}", 3),
    "validations": RunColumn(lambda a: a.run and a.run.validations, "{:,}"),
    "tokens": RunColumn(lambda a: a.model and a.model.tokens, "{:,}"),
    "cost": RunColumn(lambda a: a.model and a.model.cost, "{:.2f}", 4),
}
NUMBERS = tuple(name for name, column in COLUMNS.items() if column.is_number)


def ordered(attempts: Sequence[Attempt], boards: Boards) -> list[Attempt]:
    """Sorted by complexity, competition, agent and seed."""
    keys = {a.competition_id: boards.sort_key(a.competition_id) for a in attempts}
    return sorted(attempts, key=lambda a: (keys[a.competition_id], a.agent, a.seed))


def values(attempt: Attempt) -> dict[str, Any]:
    """The unrounded cells of a row."""
    return {name: column.value(attempt) for name, column in COLUMNS.items()}


def texts(row: Mapping[str, Any]) -> dict[str, str | None]:
    """The displayed text of each cell of a row."""
    found = {
        name: None if row[name] is None else column.form.format(row[name])
        for name, column in COLUMNS.items()
    }
    rank, teams = found["rank"], found["teams"]
    return found | {
        "outcome": f"{row['outcome']} {WORDS[row['outcome']]}"
        + (", uncertain" if row["uncertain"] == "yes" else ""),
        "rank": f"{rank} of {teams}" if rank and teams else None,
    }


def columns(attempts: Sequence[Attempt]) -> dict[str, list[Any]]:
    """The table by column, with values rounded as they are displayed."""

    def rounded(column: RunColumn, attempt: Attempt) -> Any:
        value = column.value(attempt)
        return value if value is None or column.digits is None else round(value, column.digits)

    return {name: [rounded(column, a) for a in attempts] for name, column in COLUMNS.items()}


def write_csv(results: Results, path: Path) -> None:
    """All runs as CSV; no cell is read as a formula by a spreadsheet."""
    rows = [
        ["" if value is None else f"{value}" for value in values(attempt).values()]
        for attempt in ordered(results.attempts, results.boards)
    ]
    write_whole(format_table(list(COLUMNS), rows, "csv"), path)


def write_whole(text: str, path: Path) -> None:
    """Write an output file atomically; raises UsageError if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
