"""Human leaderboards and ranks on them, without loading the competitions themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlebench.catalogue import Catalogue, folder_name
from mlebench.errors import BenchError
from mlebench.leaderboards.leaderboard import Leaderboard, load_leaderboard
from mlebench.records.folders import CompetitionFolder
from mlebench.results.attempts import Attempt, by_competition

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


def teams_beaten(attempt: Attempt, boards: Boards) -> float:
    """The share of teams with a worse score than an attempt; 0 without a score."""
    if attempt.report is None or attempt.score is None:
        return 0.0
    if attempt.report.teams_beaten is not None:
        return attempt.report.teams_beaten
    board = boards.board(attempt.competition_id)
    # Older reports call it human_rank.
    return (board.teams_beaten(attempt.score) if board else attempt.report.human_rank) or 0.0


def human_rank(attempt: Attempt, boards: Boards) -> float:
    """The share of teams without a better score than an attempt; 0 without a score."""
    if attempt.report is None or attempt.score is None:
        return 0.0
    if attempt.report.teams_beaten is not None:
        return attempt.report.human_rank or 0.0
    board = boards.board(attempt.competition_id)
    return (board.human_rank(attempt.score) if board else attempt.report.human_rank) or 0.0


def competition_figures(attempts: Sequence[Attempt], boards: Boards) -> list[dict[str, Any]]:
    """For each competition of one agent: counts, best score and rank, mean shares of teams."""
    found = by_competition(attempts)
    return [_figures(name, found[name], boards) for name in sorted(found, key=boards.sort_key)]


def _figures(name: str, attempts: Sequence[Attempt], boards: Boards) -> dict[str, Any]:
    scores = [attempt.score for attempt in attempts if attempt.score is not None]
    board = boards.board(name)
    ranks = [board.rank(score) for score in scores] if board else []
    beaten = [teams_beaten(attempt, boards) for attempt in attempts]
    shares = [human_rank(attempt, boards) for attempt in attempts]
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
        "teams_beaten": sum(beaten) / len(beaten),
        "human_rank": sum(shares) / len(shares),
    }
