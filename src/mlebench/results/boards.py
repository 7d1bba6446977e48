"""Human leaderboards and ranks on them, without loading the competitions themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Literal

from mlebench.catalogue import Catalogue, folder_name
from mlebench.errors import BenchError
from mlebench.leaderboards.leaderboard import Leaderboard, load_leaderboard
from mlebench.records.folders import CompetitionFolder
from mlebench.results.attempts import Attempt, by_competition

Share = Literal["teams_beaten", "human_rank"]
SHARES: tuple[Share, ...] = ("teams_beaten", "human_rank")
ORDER = {"low": 0, "medium": 1, "high": 2, "dev": 3, "starter": 4}


@dataclass
class Boards:
    """Facts and leaderboards by competition, cached; a leaderboard that is missing is None."""

    catalogue: Catalogue
    _boards: dict[str, Leaderboard | None] = field(default_factory=dict)
    _facts: dict[str, dict[str, Any]] = field(default_factory=dict)

    def board(self, competition_id: str) -> Leaderboard | None:
        if competition_id not in self._boards:
            try:
                self._boards[competition_id] = self._load(competition_id)
            except (BenchError, OSError, ValueError):
                self._boards[competition_id] = None
        return self._boards[competition_id]

    def _load(self, competition_id: str) -> Leaderboard:
        home = self.catalogue.get_competitions_dir() / folder_name(competition_id or "_")
        summary = home / "leaderboard.json"
        if not summary.is_file():
            return self.catalogue.get_competition(competition_id).load_leaderboard()
        full = CompetitionFolder(self.catalogue.get_data_dir(), competition_id).leaderboard
        is_lower = bool(json.loads(summary.read_text("utf-8"))["lower_is_better"])
        return load_leaderboard(summary, full, is_lower_better=is_lower)

    def facts(self, competition_id: str) -> Mapping[str, Any]:
        """Complexity, category, metric …; empty for an unknown competition."""
        if not self._facts:
            self._facts = {str(facts["id"]): facts for facts in self.catalogue.facts()}
        return self._facts.get(competition_id, {})

    def complexity(self, competition_id: str) -> str:
        return str(self.facts(competition_id).get("complexity", "other"))

    def sort_key(self, competition_id: str) -> tuple[int, str]:
        """By complexity, then by name."""
        return ORDER.get(self.complexity(competition_id), 9), competition_id


def share_of_teams(attempt: Attempt, boards: Boards, kind: Share = "teams_beaten") -> float:
    """The share of teams that an attempt does better than; 0 without a score.

    Args:
        kind: `teams_beaten`, or `human_rank`, which also counts teams with an equal score.
    """
    report = attempt.report
    if report is None or report.score is None:
        return 0.0
    if report.teams_beaten is not None:
        return getattr(report, kind) or 0.0
    board = boards.board(attempt.competition_id)
    # Older reports have `human_rank` only, which is their share of teams beaten.
    return (getattr(board, kind)(report.score) if board else report.human_rank) or 0.0


def competition_figures(attempts: Sequence[Attempt], boards: Boards) -> list[dict[str, Any]]:
    """For each competition of one agent: counts, best score and rank, mean shares of teams."""
    found = by_competition(attempts)
    return [_figures(name, found[name], boards) for name in sorted(found, key=boards.sort_key)]


def _figures(name: str, attempts: Sequence[Attempt], boards: Boards) -> dict[str, Any]:
    scores = [attempt.score for attempt in attempts if attempt.score is not None]
    board = boards.board(name)
    ranks = [board.rank(score) for score in scores] if board else []
    lower = bool(board and board.thresholds.is_lower_better)
    return {
        "competition_id": name,
        "complexity": boards.complexity(name),
        "category": boards.facts(name).get("category"),
        "attempts": len(attempts),
        "valid": sum(attempt.has("valid_submission") for attempt in attempts),
        "medals": sum(attempt.has("any_medal") for attempt in attempts),
        "uncertain": sum(attempt.has("is_uncertain") for attempt in attempts),
        "flags": list(boards.facts(name).get("v1.1", {}).get("flags", ())),
        "best_score": (min if lower else max)(scores) if scores else None,
        "best_rank": min(ranks, default=None),
        "teams": board.teams if board else None,
        **{kind: fmean(share_of_teams(a, boards, kind) for a in attempts) for kind in SHARES},
    }
