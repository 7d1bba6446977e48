"""What importers of the published package expect in `mlebench.registry`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.catalogue.layout import grader_names, published_ids
from mlebench.catalogue.published import published_competitions, published_folder
from mlebench.competitions.hyphenated import is_own, published_score
from mlebench.grade_helpers import Grader
from mlebench.records.folders import default_data_dir
from mlebench.utils import import_fn

__all__ = ["DEFAULT_DATA_DIR", "Competition", "Registry", "registry"]

DEFAULT_DATA_DIR: Path


def __getattr__(name: str) -> Any:
    """`DEFAULT_DATA_DIR`, read when it is asked for: the environment may change after import."""
    if name == "DEFAULT_DATA_DIR":
        return default_data_dir().resolve()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@dataclass(frozen=True)
class Competition:
    """A competition: its texts, functions and files."""

    id: str
    name: str
    description: str
    grader: Grader
    answers: Path
    gold_submission: Path
    sample_submission: Path
    competition_type: str
    prepare_fn: Callable[..., Any]
    """Called as `prepare_fn(raw=, public=, private=)` with three folders."""

    raw_dir: Path
    private_dir: Path
    public_dir: Path
    checksums: Path
    """YAML with the MD5s `zip`, `public` and `private`."""

    leaderboard: Path
    """CSV with a column `score`, best first."""

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Competition:
        """From the values of the fields; other keys are ignored.

        `grader` may be a dict of `name` and `grade_fn`, and `prepare_fn` (or `preparer`, as in a
        `config.yaml`) a text `"module:function"`.
        """
        values = dict(data)
        if "preparer" in values:
            values.setdefault("prepare_fn", values["preparer"])
        names = [field.name for field in fields(cls)]
        missing = [name for name in names if name not in values]
        if missing:
            raise ValueError(f"a competition needs the keys {names}; missing: {missing}")
        if isinstance(values["grader"], dict):
            values["grader"] = Grader.from_dict(values["grader"])
        if isinstance(values["prepare_fn"], str):
            values["prepare_fn"] = import_fn(values["prepare_fn"])
        return cls(**{name: values[name] for name in names})


class Registry:
    """The 82 competitions over one data folder."""

    def __init__(self, data_dir: Path | str | None = None) -> None:
        """Without a folder, that of `DEFAULT_DATA_DIR` at the time of each use."""
        self._chosen = None if data_dir is None else Path(data_dir).resolve()

    @property
    def _data_dir(self) -> Path:
        return self._chosen or default_data_dir().resolve()

    @_data_dir.setter
    def _data_dir(self, new_data_dir: Path | str) -> None:
        self._chosen = Path(new_data_dir)

    def get_competition(self, competition_id: str) -> Competition:
        """Any of the 82, one of the starter competitions, or one of an installed package."""
        catalogue = Catalogue(self._data_dir)
        located = catalogue.get_competition(competition_id)
        folder, full = published_folder(catalogue, competition_id), located.folder.leaderboard
        return Competition(
            id=competition_id,
            name=located.definition.title,
            description=located.description,
            grader=_grader(located),
            answers=located.answers,
            gold_submission=located.gold_submission,
            sample_submission=located.sample_submission,
            competition_type=located.definition.competition_type,
            prepare_fn=_prepare_fn(located),
            raw_dir=located.raw_dir,
            private_dir=located.private_dir,
            public_dir=located.public_dir,
            checksums=folder / "checksums.yaml",
            leaderboard=full if full.is_file() else folder / "leaderboard.csv",
        )

    def list_competition_ids(self) -> list[str]:
        """The 82 ids, sorted."""
        return published_ids()

    def get_lite_competition_ids(self) -> list[str]:
        """The 22 competitions of low complexity."""
        return Catalogue().get_split("low")

    def get_competitions_dir(self) -> Path:
        """A folder with `config.yaml`, `description.md` and more for each id, in the user's cache.

        Made from our definitions; our own code reads none of it.
        """
        return published_competitions(Catalogue())

    def get_splits_dir(self) -> Path:
        """The folder of the splits, `<name>.txt` with one id a line."""
        return Catalogue().get_splits_dir()

    def get_data_dir(self) -> Path:
        return self._data_dir

    def set_data_dir(self, new_data_dir: Path | str) -> Registry:
        """A new registry over another data folder; this one stays as it is."""
        return Registry(new_data_dir)


def _grader(located: LocatedCompetition) -> Grader:
    definition = located.definition
    name = grader_names().get(definition.id, definition.metric.name)
    if is_own(definition.id):
        return Grader(name, f"mlebench.competitions.{definition.id}.grade:grade")
    return Grader(name, partial(published_score, definition))


def _prepare_fn(located: LocatedCompetition) -> Callable[..., Any]:
    definition = located.definition
    if is_own(definition.id):
        return import_fn(f"mlebench.competitions.{definition.id}.prepare:prepare")

    def prepare(raw: Path, public: Path, private: Path) -> Path:
        from mlebench.archives.raw import RawFolder

        definition.prepare(RawFolder(Path(raw)), Path(public), Path(private))
        return Path(public)

    return prepare


registry = Registry()
