"""Leaderboards and summaries as markdown, CSV, JSON and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from mlebench.results.aggregate import SPLITS, Estimate, SplitSummary, shown_measures
from mlebench.results.published import LeaderboardRow

SPLIT_FIGURES = "competitions seeds revision denominator left_out graded padded".split()
ESTIMATE_FIGURES = "values mean standard_error interval".split()
DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
LATEX = str.maketrans(
    {character: f"\\{character}" for character in "&%#_${}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    | {"±": r"$\pm$", "—": "---"}
)


def format_estimate(estimate: Estimate, digits: int = 2) -> str:
    """`41.70 ± 2.10`; without an error for a single seed."""
    return _figure(estimate.mean, estimate.standard_error, digits)


def summary_rows(summary: Mapping[str, SplitSummary]) -> tuple[list[str], list[list[str]]]:
    """A row for each measure, a column for each split."""
    splits = list(summary.values())
    head = ["measure", *(f"{s.split} ({s.competitions} × {s.seeds})" for s in splits)]
    rows = [
        [title, *(format_estimate(s.measures[name]) if name in s.measures else "—" for s in splits)]
        for name, title in shown_measures(splits).items()
    ]
    return head, rows


def summary_json(summary: Mapping[str, SplitSummary]) -> dict[str, Any]:
    """The unrounded figures of each split."""
    return {
        split.split: {
            **{name: getattr(split, name) for name in SPLIT_FIGURES},
            "left_out": list(split.left_out),
            "measures": {
                name: {figure: getattr(estimate, figure) for figure in ESTIMATE_FIGURES}
                | {"values": list(estimate.values)}
                for name, estimate in split.measures.items()
            },
        }
        for split in summary.values()
    }


def leaderboard_rows(rows: Sequence[LeaderboardRow]) -> tuple[list[str], list[list[str]]]:
    """Rank, agent, models, and mean ± error of any medal for each split."""
    head = ["#", "agent", "models", *SPLITS, "hours", "date", "notes"]
    table = []
    for number, row in enumerate(rows, 1):
        cells = [_figure(row.means[split], row.errors[split]) for split in SPLITS]
        table.append([str(number), row.agent, row.models, *cells, row.hours, row.date, _notes(row)])
    return head, table


def _figure(mean: float | None, error: float | None, digits: int = 2) -> str:
    if mean is None:
        return "—"
    return f"{mean:.{digits}f}" + ("" if error is None else f" ± {error:.{digits}f}")


def _notes(row: LeaderboardRow) -> str:
    notes = {
        "yours": row.is_mine,
        "known leakage": row.known_leakage,
        "padded seeds": row.padded_seeds,
    }
    return ", ".join(name for name, holds in notes.items() if holds)


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str) -> str:
    """The text of a table in one of the formats except JSON."""
    if kind == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([head, *([_harmless(cell) for cell in row] for row in rows)])
        return out.getvalue()
    if kind == "latex":
        return _latex(head, rows)
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _harmless(cell: str) -> str:
    """Prefix a cell that a spreadsheet would read as a formula with a quote, unless a number."""
    if cell.startswith(DANGEROUS) and not cell.lstrip("+-").replace(".", "", 1).isdigit():
        return f"'{cell}"
    return cell


def _latex(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    first, *rest = [
        " & ".join(cell.translate(LATEX) for cell in row) + r" \\" for row in (head, *rows)
    ]
    start = r"\begin{tabular}{" + "l" * len(head) + "}"
    lines = [start, r"\hline", first, r"\hline", *rest, r"\hline", r"\end{tabular}"]
    return "\n".join(lines) + "\n"
