"""Listing and looking up competitions and splits; loads only what is asked for."""

from __future__ import annotations

import ast
import difflib
import importlib
import importlib.util
import json
import logging
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from mlebench.competition import Competition as Declaration
from mlebench.errors import UsageError
from mlebench.storage import CompetitionFolder, default_data_dir

if TYPE_CHECKING:
    from mlebench.grade_helpers import Grader
    from mlebench.grading.leaderboard import Leaderboard

PACKAGE = Path(__file__).parent
SPLITS = ("low", "medium", "high", "all", "dev", "starter")
ALIASES = {"lite": "low"}
ENTRY_POINTS = "mlebench.competitions"
ID_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Competition:
    """A competition and the place of its data; the names are those of the published package."""

    declaration: Declaration
    home: Path
    """The folder with the declaration, the description and the leaderboard."""

    folder: CompetitionFolder

    @property
    def id(self) -> str:
        return self.declaration.id

    @property
    def name(self) -> str:
        return self.declaration.title

    @property
    def competition_type(self) -> str:
        return self.declaration.competition_type

    @property
    def description(self) -> str:
        return (self.home / "description.md").read_text("utf-8")

    @property
    def obfuscated_description(self) -> str:
        return (self.home / "description_obfuscated.md").read_text("utf-8")

    @property
    def grader(self) -> Grader:
        from mlebench.grade_helpers import Grader

        return Grader.of(self.declaration)

    @property
    def answers(self) -> Path:
        return self.folder.prepared / self.declaration.answers

    @property
    def gold_submission(self) -> Path:
        name = self.declaration.gold_submission or self.declaration.answers
        return self.folder.prepared / name

    @property
    def sample_submission(self) -> Path:
        return self.folder.prepared / self.declaration.sample_submission

    @property
    def prepare_fn(self) -> Callable[..., Path]:
        """Called as `prepare_fn(raw=, public=, private=)` with three folders."""

        def prepare(raw: Path, public: Path, private: Path) -> Path:
            from mlebench.data.raw import RawFolder

            self.declaration.prepare(RawFolder(Path(raw)), Path(public), Path(private))
            return Path(public)

        return prepare

    @property
    def raw_dir(self) -> Path:
        return self.folder.raw

    @property
    def public_dir(self) -> Path:
        return self.folder.public

    @property
    def private_dir(self) -> Path:
        return self.folder.private

    @property
    def checksums(self) -> Path:
        return self.home / "checksums.json"

    @property
    def leaderboard(self) -> Path:
        """The full board where the user has one, else the summary."""
        full = self.folder.leaderboard
        return full if full.exists() else self.home / "leaderboard.json"

    def load_leaderboard(self) -> Leaderboard:
        from mlebench.grading.leaderboard import load_leaderboard

        return load_leaderboard(
            self.home / "leaderboard.json",
            self.folder.leaderboard,
            is_lower_better=self.declaration.metric.is_lower_better,
        )

    def make_rehearsal(self, raw: Path, seed: int, scale: int) -> None:
        """Write a small synthetic copy of what Kaggle serves."""
        module = load_module(self.home / "rehearsal.py")
        module.make_raw(raw, seed, scale)


@dataclass(frozen=True)
class Registry:
    """All competitions: our own, those of other packages, those in folders named by the user."""

    data_dir: Path | None = None
    """Where nothing is said, the default is looked up at each use."""

    competitions_dirs: tuple[Path, ...] = ()
    """Folders of competition folders, from outside the package."""

    def get_competition(self, competition_id: str) -> Competition:
        """The competition with this id; an unknown id gets the nearest names."""
        home = self._find(competition_id)
        declaration = load_module(home / "competition.py").competition
        return Competition(
            declaration, home, CompetitionFolder(self.get_data_dir(), competition_id)
        )

    def require_known(self, competition_id: str) -> None:
        """Complain about an unknown id, with the nearest names, without loading anything."""
        self._find(competition_id)

    def list_competition_ids(self) -> list[str]:
        """Every id, sorted; no competition is imported."""
        return sorted({*self._own_ids, *self._outside})

    def ids_starting_with(self, text: str) -> list[str]:
        """For completion: those of other packages are looked for only where ours do not fit."""
        own = [] if self.competitions_dirs else [i for i in self._own_ids if i.startswith(text)]
        return own or [i for i in self.list_competition_ids() if i.startswith(text)]

    def get_lite_competition_ids(self) -> list[str]:
        return self.get_split("low")

    def get_split(self, name: str) -> list[str]:
        """The ids of a split."""
        file = self.get_splits_dir() / f"{ALIASES.get(name, name)}.txt"
        if not file.is_file():
            known = ", ".join((*SPLITS, *ALIASES))
            raise UsageError(f"unknown split {name!r}; expected one of {known}")
        return file.read_text("utf-8").split()

    def get_splits_dir(self) -> Path:
        return PACKAGE / "splits"

    def get_competitions_dir(self) -> Path:
        return PACKAGE / "competitions"

    def get_data_dir(self) -> Path:
        return Path(self.data_dir) if self.data_dir else default_data_dir()

    def set_data_dir(self, new_data_dir: Path | str) -> Registry:
        """A new registry over another data folder."""
        return Registry(Path(new_data_dir), self.competitions_dirs)

    def facts(self) -> list[dict[str, Any]]:
        """Title, category, size … of every competition, from the catalogue made at release."""
        known = json.loads((PACKAGE / "catalogue.json").read_text("utf-8"))
        outside = [facts_of(self.get_competition(i).declaration) for i in sorted(self._outside)]
        return sorted(known + outside, key=lambda facts: str(facts["id"]))

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
                    found[id_of_folder(home)] = home
        return {**_plugins(), **found}

    def _find(self, competition_id: str) -> Path:
        if competition_id in self._own_ids:
            return PACKAGE / "competitions" / folder_name(competition_id)
        if competition_id in self._outside:
            return self._outside[competition_id]
        raise UsageError(unknown("competition", competition_id, self.list_competition_ids()))


def unknown(kind: str, name: str, known: Sequence[str]) -> str:
    """The message for a name that does not exist, with the nearest one that does."""
    shown = name[:80]
    nearest = difflib.get_close_matches(name.lower(), [k.lower() for k in known], n=1, cutoff=0.5)
    if nearest:
        match = next(k for k in known if k.lower() == nearest[0])
        return f"unknown {kind} {shown!r}; did you mean {match!r}?"
    return f"unknown {kind} {shown!r}; see: mlebench list"


def folder_name(competition_id: str) -> str:
    """`3d-object…` → `_3d_object…`: the id as a Python name."""
    name = competition_id.replace("-", "_")
    return f"_{name}" if name[0].isdigit() else name


def id_of_folder(home: Path) -> str:
    """The id that a declaration states, read without running it."""
    name = home.name
    for node in ast.walk(ast.parse((home / "competition.py").read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Competition":
            stated = (word.value for word in node.keywords if word.arg == "id")
            name = next((str(v.value) for v in stated if isinstance(v, ast.Constant)), name)
    if not ID_PATTERN.fullmatch(name):
        raise UsageError(f"{home} declares the id {name!r}; expected letters, digits and hyphens")
    return name


def load_module(file: Path) -> ModuleType:
    """A module of a competition's folder; ours by name, others from the file."""
    if file.is_relative_to(PACKAGE):
        return importlib.import_module(
            ".".join(("mlebench", *file.relative_to(PACKAGE).with_suffix("").parts))
        )
    name = f"mlebench_outside_{abs(hash(file.parent.resolve()))}"
    _as_package(name, file.parent)
    return importlib.import_module(f"{name}.{file.stem}")


def _as_package(name: str, folder: Path) -> None:
    """Make a folder importable under a name of its own, so that its files import one another."""
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_loader(name, loader=None, is_package=True)
    if spec is None:
        raise UsageError(f"{folder} cannot be loaded")
    spec.submodule_search_locations = [str(folder)]
    sys.modules[name] = importlib.util.module_from_spec(spec)


def _plugins() -> dict[str, Path]:
    """Competitions that other packages bring; one that fails to load is named in a warning."""
    # Slow to import, and completion on a keystroke does without.
    from importlib.metadata import entry_points

    found = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            spec = importlib.util.find_spec(point.value)
        except (ImportError, ValueError) as error:
            log.warning(
                "competition %s of an installed package cannot be loaded: %s", point.name, error
            )
            continue
        if spec and spec.origin:
            found[point.name] = Path(spec.origin).parent
        else:
            log.warning("competition %s of an installed package was not found", point.name)
    return found


def facts_of(declaration: Declaration) -> dict[str, Any]:
    """What a list of competitions shows, without its functions."""
    return {
        "id": declaration.id,
        "title": declaration.title,
        "category": declaration.category,
        "complexity": declaration.complexity,
        "metric": declaration.metric.name,
        "is_lower_better": declaration.metric.is_lower_better,
        "dataset_gb": declaration.dataset_gb,
        "competition_type": declaration.competition_type,
        "prize_usd": declaration.prize_usd,
        "faults": [f"{fault.issue}: {fault.text}" for fault in declaration.faults],
    }


registry = Registry()
