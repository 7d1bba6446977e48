"""Names that programs written for the published package import: competitions and their registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mlebench.archives.raw import RawFolder
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.grade_helpers import Grader

__all__ = ["Competition", "Registry", "registry"]


@dataclass(frozen=True)
class Competition(LocatedCompetition):
    """A competition with the attributes of the published package."""

    @property
    def name(self) -> str:
        return self.definition.title

    @property
    def competition_type(self) -> str:
        return self.definition.competition_type

    @property
    def grader(self) -> Grader:
        return Grader.of(self.definition)

    @property
    def leaderboard(self) -> Path:
        """The full board if the user has one, else the summary."""
        full = self.folder.leaderboard
        return full if full.exists() else self.home / "leaderboard.json"

    @property
    def prepare_fn(self) -> Callable[..., Path]:
        """Called as `prepare_fn(raw=, public=, private=)` with three folders."""

        def prepare(raw: Path, public: Path, private: Path) -> Path:
            self.definition.prepare(RawFolder(Path(raw)), Path(public), Path(private))
            return Path(public)

        return prepare


@dataclass(frozen=True)
class Registry(Catalogue):
    """All competitions over one data folder."""

    def get_competition(self, competition_id: str) -> Competition:
        found = super().get_competition(competition_id)
        return Competition(found.definition, found.home, found.folder)

    def set_data_dir(self, new_data_dir: Path | str) -> Registry:
        """A new registry over another data folder."""
        return Registry(Path(new_data_dir), self.competitions_dirs)


registry = Registry()
