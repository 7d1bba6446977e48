"""Modules that programs written for the published package import by the id of a competition.

`mlebench.competitions.spaceship-titanic.grade` has `grade(submission, answers)` and
`….prepare` has `prepare(raw, public, private)`. An id with hyphens is not a Python identifier, so
there are no such files: a finder creates the modules when they are imported.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from importlib.abc import Loader

    import pandas as pd

    from mlebench.definition import CompetitionDefinition

PACKAGE = "mlebench.competitions"
HERE = Path(__file__).parent


def folder_name(competition_id: str) -> str:
    """`3d-object…` → `_3d_object…`: the id as a Python name."""
    name = competition_id.replace("-", "_")
    return f"_{name}" if name[:1].isdigit() else name


def is_own(competition_id: str) -> bool:
    """Whether a competition of this package has that id."""
    if "_" in competition_id:
        return False
    return (HERE / folder_name(competition_id) / "competition.py").is_file()


class PublishedModules:
    """Finds `mlebench.competitions.<id>`, `….grade` and `….prepare` where no such file exists.

    A finder and a loader by its methods alone: importing `importlib.abc` takes as long as click.
    """

    @classmethod
    def install(cls) -> None:
        """Ask this finder after all others."""
        if not any(isinstance(finder, cls) for finder in sys.meta_path):
            sys.meta_path.append(cls())

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(f"{PACKAGE}."):
            return None
        competition_id, _, part = fullname.removeprefix(f"{PACKAGE}.").partition(".")
        if part not in ("", *PARTS) or not is_own(competition_id):
            return None
        return ModuleSpec(fullname, cast("Loader", self), is_package=not part)

    def create_module(self, spec: ModuleSpec) -> None:
        """Returns None, so that the import system creates an ordinary module."""

    def exec_module(self, module: ModuleType) -> None:
        competition_id, _, part = module.__name__.removeprefix(f"{PACKAGE}.").partition(".")
        module.__doc__ = f"{competition_id}, under the name that the published package uses."
        if part:
            function = PARTS[part](competition_id)
            # Makes the function picklable: it is found again by the name of its module.
            function.__module__, function.__qualname__ = module.__name__, part
            setattr(module, part, function)


def _definition(competition_id: str) -> CompetitionDefinition:
    module = importlib.import_module(f"{PACKAGE}.{folder_name(competition_id)}.competition")
    definition: CompetitionDefinition = module.competition
    return definition


def published_score(
    definition: CompetitionDefinition, submission: pd.DataFrame, answers: Any
) -> float:
    """The score, not rounded, as the type of number that the published grader returns.

    `round(score, 5)` then rounds as the published package does.
    """
    score = definition.score(submission, answers).value
    if definition.rounding == "python":
        return score
    import numpy as np

    return np.float64(score)


def _make_grade(competition_id: str) -> Callable[..., Any]:
    def grade(submission: pd.DataFrame, answers: Any) -> float:
        """The score, not rounded; raises InvalidSubmissionError where there is none."""
        return published_score(_definition(competition_id), submission, answers)

    return grade


def _make_prepare(competition_id: str) -> Callable[..., Any]:
    def prepare(raw: Path, public: Path, private: Path) -> Path:
        """Write the public and the private files from the unpacked raw data; returns `public`."""
        from mlebench.archives.raw import RawFolder

        _definition(competition_id).prepare(RawFolder(Path(raw)), Path(public), Path(private))
        return Path(public)

    return prepare


PARTS = {"grade": _make_grade, "prepare": _make_prepare}


def competition_id_of(function: object) -> str | None:
    """The competition that a function of these modules belongs to; None for other functions."""
    module = str(getattr(function, "__module__", ""))
    if not module.startswith(f"{PACKAGE}."):
        return None
    competition_id, _, part = module.removeprefix(f"{PACKAGE}.").partition(".")
    return competition_id if part in PARTS and is_own(competition_id) else None
