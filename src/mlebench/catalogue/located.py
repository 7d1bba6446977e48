"""LocatedCompetition: a definition together with its own files and its data on this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.catalogue.loading import PACKAGE, load_module
from mlebench.definition import CompetitionDefinition
from mlebench.records.folders import CompetitionFolder
from mlebench.version import option_for

if TYPE_CHECKING:
    from mlebench.leaderboards.leaderboard import Leaderboard
    from mlebench.revision import Changes


@dataclass(frozen=True)
class LocatedCompetition:
    """A competition, the folder that defines it and the folder of its data."""

    definition: CompetitionDefinition
    home: Path
    """The folder with the definition, the description and the leaderboard summary."""

    folder: CompetitionFolder
    changes: Changes | None = field(default=None, kw_only=True)
    """What the revision changes; none in v1."""

    @property
    def id(self) -> str:
        return self.definition.id

    @property
    def revision(self) -> str:
        return self.folder.revision

    @property
    def prepare_command(self) -> str:
        """The command that prepares this competition, for messages."""
        words = f"mlebench prepare -c {self.id} --data-dir {self.folder.root}"
        if not self.home.is_relative_to(PACKAGE):
            words += f" --competitions-dir {self.home.parent}"
        return words + option_for(self.revision)

    @property
    def description(self) -> str:
        return self._described("description.md")

    @property
    def obfuscated_description(self) -> str:
        return self._described("description_obfuscated.md")

    def _described(self, name: str) -> str:
        text = (self.home / name).read_text("utf-8")
        return self.changes.describe(text) if self.changes else text

    @property
    def answers(self) -> Path:
        return self.folder.prepared / self.definition.answers

    @property
    def gold_submission(self) -> Path:
        name = self.definition.gold_submission or self.definition.answers
        return self.folder.prepared / name

    @property
    def sample_submission(self) -> Path:
        return self.folder.prepared / self.definition.sample_submission

    @property
    def raw_dir(self) -> Path:
        return self.folder.raw

    @property
    def public_dir(self) -> Path:
        return self.folder.public

    @property
    def private_dir(self) -> Path:
        return self.folder.private

    def load_leaderboard(self) -> Leaderboard:
        """The full board if the user has one, else the one rebuilt from the summary."""
        from mlebench.leaderboards.leaderboard import load_leaderboard

        return load_leaderboard(
            self.home / "leaderboard.json",
            self.folder.leaderboard,
            is_lower_better=self.definition.metric.is_lower_better,
        )

    def load_checksums(self) -> dict[str, Any]:
        """The official MD5s: `zip`, and by file name `public` and `private`; empty if unknown.

        Those of prepared files exist for v1 only.
        """
        try:
            known: dict[str, Any] = json.loads((self.home / "checksums.json").read_text("utf-8"))
        except FileNotFoundError:
            return {}
        return {"zip": known.get("zip")} if self.changes else known

    def make_rehearsal(self, raw: Path, seed: int, scale: int) -> None:
        """Write a small synthetic copy of what Kaggle serves."""
        self._make_raw()(raw, seed, scale)

    def pack_rehearsal(self, archive: Path, seed: int, scale: int) -> bool:
        """Write the same files into a zip file; False if this competition cannot pack them."""
        pack = getattr(self._make_raw(), "pack", None)
        if pack:
            pack(archive, seed, scale)
        return pack is not None

    def _make_raw(self) -> Callable[[Path, int, int], None]:
        module = load_module(self.home / "rehearsal.py")
        make_raw: Callable[[Path, int, int], None] = module.make_raw
        return make_raw
