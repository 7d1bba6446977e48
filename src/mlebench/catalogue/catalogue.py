"""Lists and looks up competitions and splits; loads only what is requested."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mlebench.catalogue.loading import PACKAGE, find_plugins, id_of_folder, load_module
from mlebench.catalogue.located import LocatedCompetition
from mlebench.competitions import folder_name
from mlebench.definition import CompetitionDefinition
from mlebench.errors import DataError, UnknownNameError, UsageError, unknown
from mlebench.records.folders import CompetitionFolder, default_data_dir
from mlebench.revision import Changes
from mlebench.version import REVISION

if TYPE_CHECKING:
    from mlebench.recipes.holdouts import HoldOut

HERE = Path(__file__).parent
SPLITS = ("low", "medium", "high", "all", "dev", "starter", "systemcard")
ALIASES = {"lite": "low"}
Record = TypeVar("Record")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Catalogue:
    """All competitions: our own, those of other packages, those in folders named by the user."""

    data_dir: Path | None = None
    """If None, the default is looked up at each use."""

    competitions_dirs: tuple[Path, ...] = ()
    """Folders of competition folders, from outside the package."""

    revision: str = REVISION

    def with_absolute_folders(self) -> Catalogue:
        """A copy for another process, which may have another working folder and default."""
        folders = tuple(folder.resolve() for folder in self.competitions_dirs)
        return Catalogue(self.get_data_dir().resolve(), folders, self.revision)

    def get_competition(self, competition_id: str) -> LocatedCompetition:
        """The competition with this id; the error for an unknown id suggests similar ones."""
        folder = CompetitionFolder(self.get_data_dir(), competition_id, self.revision)
        return load_competition(self.home_of(competition_id), folder)

    def home_of(self, competition_id: str) -> Path:
        """The folder that defines a competition; see `get_competition`."""
        if competition_id in self._own_ids:
            return PACKAGE / "competitions" / folder_name(competition_id)
        if competition_id in self._outside:
            return self._outside[competition_id]
        known = self.list_competition_ids()
        raise UnknownNameError(unknown("competition", competition_id, known, see="mlebench list"))

    def require_known(self, competition_id: str) -> None:
        """Raise for an unknown id, with similar ones, without loading anything."""
        self.home_of(competition_id)

    def list_competition_ids(self) -> list[str]:
        """Every id, sorted; no competition is imported."""
        return sorted({*self._own_ids, *self._outside})

    def ids_starting_with(self, text: str) -> list[str]:
        """For shell completion: other packages are searched only if none of our ids match."""
        own = [] if self.competitions_dirs else [i for i in self._own_ids if i.startswith(text)]
        return own or [i for i in self.list_competition_ids() if i.startswith(text)]

    def get_split(self, name: str) -> list[str]:
        """The ids of a split."""
        file = self.get_splits_dir() / f"{ALIASES.get(name, name)}.txt"
        if not file.is_file():
            known = ", ".join((*SPLITS, *ALIASES))
            raise UnknownNameError(f"unknown split {name!r}; expected one of {known}")
        return file.read_text("utf-8").split()

    def get_splits_dir(self) -> Path:
        return HERE / "splits"

    def get_competitions_dir(self) -> Path:
        return PACKAGE / "competitions"

    def get_data_dir(self) -> Path:
        return Path(self.data_dir) if self.data_dir else default_data_dir()

    def facts(self) -> list[dict[str, Any]]:
        """Title, category, size … of every competition in this revision, from `catalogue.json`.

        A competition from outside that cannot be loaded is left out, with a warning.
        """
        known = json.loads((HERE / "catalogue.json").read_text("utf-8"))
        found = (_facts_in(self.revision, facts) for facts in known + self._outside_facts())
        return sorted(found, key=lambda facts: str(facts["id"]))

    def unscored(self, revision: str) -> dict[str, str]:
        """The competitions that no medal rate of a revision counts, each with its status."""
        if revision == REVISION:
            return {}
        found = {str(facts["id"]): facts.get(revision, {}) for facts in self.facts()}
        status = {name: str(own.get("scoring", "scored")) for name, own in found.items()}
        return {name: scoring for name, scoring in status.items() if scoring != "scored"}

    def _outside_facts(self) -> list[dict[str, Any]]:
        found = []
        for competition_id in sorted(self._outside):
            try:
                published = replace(self, revision=REVISION)
                definition = published.get_competition(competition_id).definition
                changes = load_changes(self._outside[competition_id])
                found.append(facts_of(definition) | revision_facts(changes, definition))
            except DataError as error:
                log.warning("warning: %s is left out: %s", competition_id, error)
        return found

    @cached_property
    def _own_ids(self) -> list[str]:
        return [i for split in ("all", "dev", "starter") for i in self.get_split(split)]

    @cached_property
    def _outside(self) -> dict[str, Path]:
        """Folders of competitions that are not ours, by id."""
        found = {}
        for place in self.competitions_dirs:
            if not place.is_dir():
                raise UsageError(f"the competitions folder {place} does not exist")
            for home in sorted(place.iterdir()):
                if (home / "competition.py").is_file():
                    try:
                        found[id_of_folder(home)] = home
                    except UsageError as error:
                        log.warning("warning: a competition is left out: %s", error)
        return {**find_plugins(), **found}


def load_competition(home: Path, folder: CompetitionFolder) -> LocatedCompetition:
    """The competition that a folder defines, in the revision of the folder of its data."""
    definition = _defined(home / "competition.py", "competition", CompetitionDefinition)
    if folder.revision == REVISION:
        return LocatedCompetition(definition, home, folder)
    changes = load_changes(home)
    return LocatedCompetition(changes.apply(definition), home, folder, changes=changes)


def load_changes(home: Path) -> Changes:
    """What revision v1.1 changes in a competition; nothing where no file declares it."""
    file = home / "revision.py"
    return _defined(file, "changes", Changes) if file.is_file() else Changes()


def load_hold_out(home: Path) -> HoldOut:
    """How the hold-out of a competition is made; in the default way if no file declares it."""
    from mlebench.recipes.holdouts import HoldOut

    file = home / "holdout.py"
    return _defined(file, "hold_out", HoldOut) if file.is_file() else HoldOut()


def _defined(file: Path, name: str, kind: type[Record]) -> Record:
    found = getattr(load_module(file), name, None)
    if not isinstance(found, kind):
        raise DataError(f"{file} defines no `{name} = {kind.__name__}(...)`")
    return found


def chance_of(competition_id: str) -> dict[str, Any]:
    """How often predictions that know nothing win a medal; empty for competitions of others."""
    found: dict[str, dict[str, Any]] = json.loads((HERE / "chance.json").read_text("utf-8"))
    return found.get(competition_id, {})


CHANGED = ("metric", "is_lower_better", "prize_usd")
"""Facts that may differ between the revisions."""


def revision_facts(changes: Changes, definition: CompetitionDefinition) -> dict[str, Any]:
    """What lists and reports say about a competition in revision v1.1."""
    stated = {name: getattr(changes, name) for name in ("comparability", "scoring", "reason")}
    revised = facts_of(changes.apply(definition))
    stated |= {name: revised[name] for name in CHANGED}
    return {"v1.1": stated | {"flags": changes.all_flags, "is_noisy": changes.noisy is not None}}


def _facts_in(revision: str, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts of a competition in a revision; faults are those of v1."""
    if revision == REVISION:
        return facts | {"revision": revision}
    own = {name: facts[revision][name] for name in CHANGED}
    return facts | own | {"faults": [], "revision": revision}


def facts_of(definition: CompetitionDefinition) -> dict[str, Any]:
    """The facts that a list of competitions shows."""
    return {
        "id": definition.id,
        "title": definition.title,
        "category": definition.category,
        "complexity": definition.complexity,
        "metric": definition.metric.name,
        "is_lower_better": definition.metric.is_lower_better,
        "dataset_gb": definition.dataset_gb,
        "competition_type": definition.competition_type,
        "prize_usd": definition.prize_usd,
        "faults": list(map(str, definition.faults)),
    }
