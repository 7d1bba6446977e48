"""Leaderboards and summaries as text: markdown, CSV, JSON, LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from mlebench.results.aggregate import MEASURES, SPLITS, Estimate, SplitSummary
from mlebench.results.published import LeaderboardRow

FORMATS = ("markdown", "csv", "json", "latex")
DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def format_estimate(estimate: Estimate, digits: int = 2) -> str:
    """`41.70 ± 2.10`; the error is left out for a single seed."""
    text = f"{estimate.mean:.{digits}f}"
    if estimate.standard_error is None:
        return text
    return f"{text} ± {estimate.standard_error:.{digits}f}"


def summary_rows(summary: Mapping[str, SplitSummary]) -> tuple[list[str], list[list[str]]]:
    """Measures down, splits across."""
    head = ["measure", *(f"{s.split} ({s.competitions} × {s.seeds})" for s in summary.values())]
    rows = [
        [title, *(format_estimate(split.measures[name]) for split in summary.values())]
        for name, title in MEASURES.items()
    ]
    return head, rows


def summary_json(summary: Mapping[str, SplitSummary]) -> dict[str, Any]:
    """The same for machines, unrounded."""
    return {
        split.split: {
            "competitions": split.competitions,
            "seeds": split.seeds,
            "graded": split.graded,
            "padded": split.padded,
            "measures": {
                name: {
                    "values": list(estimate.values),
                    "mean": estimate.mean,
                    "standard_error": estimate.standard_error,
                    "interval": estimate.interval,
                }
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


def _figure(mean: float | None, error: float | None) -> str:
    if mean is None:
        return "—"
    return f"{mean:.2f}" if error is None else f"{mean:.2f} ± {error:.2f}"


def _notes(row: LeaderboardRow) -> str:
    notes = {
        "yours": row.is_mine,
        "known leakage": row.known_leakage,
        "padded seeds": row.padded_seeds,
    }
    return ", ".join(name for name, holds in notes.items() if holds)


def format_table(head: Sequence[str], rows: Sequence[Sequence[str]], kind: str) -> str:
    """A table in one of the formats."""
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
    """A cell that a spreadsheet would take for a formula gets a quote; numbers stay."""
    if cell.startswith(DANGEROUS) and not cell.lstrip("+-").replace(".", "", 1).isdigit():
        return f"'{cell}"
    return cell


def _latex(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    marks = {"&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "±": r"$\pm$", "—": "---"}
    marks |= {
        "$": r"\$",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }

    def safe(cell: str) -> str:
        text = cell.replace("\\", "\0")
        text = "".join(marks.get(character, character) for character in text)
        return text.replace("\0", r"\textbackslash{}")

    lines = [r"\begin{tabular}{" + "l" * len(head) + "}", r"\hline"]
    lines.append(" & ".join(map(safe, head)) + r" \\")
    lines.append(r"\hline")
    lines += [" & ".join(map(safe, row)) + r" \\" for row in rows]
    return "\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n"
