"""The public results table of MLE-bench (as of 2026-02-26): means and standard errors of any medal.

The figures are those that the authors of the agents published; columns mark open source code,
grading reports, known leakage and padded seeds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mlebench.results.aggregate import SPLITS, SplitSummary

TABLE = Path(__file__).with_name("published.json")
SOURCE = "public results table of MLE-bench (arXiv 2410.07095), as of 2026-02-26"


@dataclass(frozen=True)
class LeaderboardRow:
    """A row of a leaderboard: percentages of any medal."""

    agent: str
    models: str
    means: Mapping[str, float | None]
    errors: Mapping[str, float | None]
    hours: str
    date: str
    known_leakage: bool = False
    source_code: bool = False
    grading_reports: bool = False
    padded_seeds: bool = False
    is_mine: bool = False


def published_rows() -> list[LeaderboardRow]:
    """The table, best first."""
    return [LeaderboardRow(**facts) for facts in json.loads(TABLE.read_text("utf-8"))]


def my_row(
    agent: str, models: str, summary: Mapping[str, SplitSummary], hours: str
) -> LeaderboardRow:
    """The user's row among the published ones."""
    any_medal = {name: split.measures["any_medal"] for name, split in summary.items()}
    return LeaderboardRow(
        agent=agent,
        models=models,
        means={s: any_medal[s].mean if s in any_medal else None for s in SPLITS},
        errors={s: any_medal[s].standard_error if s in any_medal else None for s in SPLITS},
        hours=hours,
        date="",
        padded_seeds=any(split.padded for split in summary.values()),
        is_mine=True,
    )


def ranked(rows: list[LeaderboardRow], split: str = "all") -> list[LeaderboardRow]:
    """Best first by one split; rows without that figure last."""
    return sorted(rows, key=lambda row: -(row.means[split] or -1.0))
