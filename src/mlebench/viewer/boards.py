"""The facts of competitions for the index: name, direction, thresholds."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.errors import DataError
from mlebench.leaderboards.leaderboard import Leaderboard
from mlebench.records.audit import read_audit
from mlebench.records.codec import to_json
from mlebench.records.folders import CompetitionFolder
from mlebench.results.boards import Boards
from mlebench.version import REVISIONS

CUTS = ("gold", "silver", "bronze", "median")
SPLITS = ("low", "medium", "high", "all", "dev", "starter")


class CompetitionIndex:
    """Facts and thresholds from the catalogue, without loading the competitions."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.facts = {str(facts["id"]): facts for facts in catalogue.facts()}
        self._boards = Boards(catalogue)
        self.splits = {name: set(catalogue.get_split(name)) for name in SPLITS}

    def describe(self, competition_id: str) -> dict[str, Any]:
        """The facts of a competition; an unknown one has only its name."""
        facts = self.facts.get(competition_id, {})
        board = self.board(competition_id)
        return {
            "id": competition_id,
            "name": facts.get("title", competition_id),
            "complexity": facts.get("complexity"),
            "category": facts.get("category"),
            "lower_is_better": facts.get("is_lower_better"),
            "teams": board.teams if board else None,
            "flags": list(facts.get("v1.1", {}).get("flags", ())),
            **{cut: board and getattr(board.thresholds, cut) for cut in CUTS},
        }

    def audit(self, competition_id: str) -> list[dict[str, Any]]:
        """What `mlebench audit` found in the prepared data of each revision, if it has run."""
        found: list[dict[str, Any]] = []
        for revision in REVISIONS if competition_id in self.facts else ():
            folder = CompetitionFolder(self.catalogue.get_data_dir(), competition_id, revision)
            with suppress(DataError):
                found += map(to_json, read_audit(folder))
        return found

    def board(self, competition_id: str) -> Leaderboard | None:
        """The human leaderboard; None if there is none."""
        return self._boards.board(competition_id) if competition_id in self.facts else None
