"""The facts of competitions for the index: name, direction, thresholds."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mlebench.catalogue import Catalogue, folder_name
from mlebench.errors import BenchError, DataError
from mlebench.records.audit import read_audit
from mlebench.records.codec import to_json
from mlebench.records.folders import CompetitionFolder
from mlebench.version import REVISIONS
from mlebench.viewer.rows import number

if TYPE_CHECKING:
    from mlebench.leaderboards.leaderboard import Leaderboard
    from mlebench.results.boards import Boards

SPLITS = ("low", "medium", "high", "all", "dev", "starter")


class CompetitionIndex:
    """Facts and thresholds from the catalogue, without loading the competitions."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.facts = {str(facts["id"]): facts for facts in catalogue.facts()}
        self._boards: Boards | None = None
        self.splits = {name: set(catalogue.get_split(name)) for name in SPLITS}

    def describe(self, competition_id: str) -> dict[str, Any]:
        """The facts of a competition; an unknown one has only its name."""
        facts = self.facts.get(competition_id, {})
        board = self._board(competition_id)
        return {
            "id": competition_id,
            "name": facts.get("title", competition_id),
            "complexity": facts.get("complexity"),
            "category": facts.get("category"),
            "lower_is_better": facts.get("is_lower_better"),
            "teams": board.get("teams"),
            "flags": list(facts.get("v1.1", {}).get("flags", ())),
            **{name: number(board.get(name)) for name in ("gold", "silver", "bronze", "median")},
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
        if competition_id not in self.facts:
            return None
        if self._boards is None:
            from mlebench.results.boards import Boards

            self._boards = Boards(self.catalogue)
        return self._boards.board(competition_id)

    def _board(self, competition_id: str) -> dict[str, Any]:
        if competition_id not in self.facts:
            return {}
        home = self.catalogue.get_competitions_dir() / folder_name(competition_id)
        try:
            if not home.is_dir():
                home = self.catalogue.get_competition(competition_id).home
            found = json.loads((home / "leaderboard.json").read_text("utf-8"))
        except (OSError, ValueError, BenchError):
            return {}
        return found if isinstance(found, dict) else {}
