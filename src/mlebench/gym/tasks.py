"""Tasks: a competition, a revision and a split, as episodes use them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from mlebench.catalogue import Catalogue, LocatedCompetition, load_competition
from mlebench.errors import UsageError
from mlebench.grading.grade import require_prepared
from mlebench.gym.holdout import locate_holdout
from mlebench.records.folders import CompetitionFolder
from mlebench.version import REVISIONS

Split = Literal["train", "test"]
DEFAULT_REVISION = REVISIONS[-1]
"""Not v1, whose faults a policy in training would find first."""


@dataclass(frozen=True)
class GymTask:
    """What episodes of one competition share."""

    competition: LocatedCompetition
    """For `train` with the folders of the hold-out."""

    split: Split
    secrets: tuple[Path, ...] = field(default=(), compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        # Definitions contain functions, which are not pickled; the other process loads its own.
        return (task_from_facts, (self.facts,))

    @property
    def id(self) -> str:
        return self.competition.id

    @property
    def key(self) -> str:
        """Tells tasks apart within one process."""
        return f"{self.competition.folder.prepared.absolute()}:{self.split}"

    @cached_property
    def facts(self) -> dict[str, Any]:
        """From which another process makes the same task."""
        folder = self.competition.folder
        return {
            "home": str(self.competition.home.absolute()),
            "data_dir": str(folder.root.absolute()),
            "competition_id": self.id,
            "revision": folder.revision,
            "split": self.split,
        }


def find_task(
    competition_id: str,
    *,
    revision: str = DEFAULT_REVISION,
    split: Split = "train",
    evaluate: bool = False,
    catalogue: Catalogue | None = None,
) -> GymTask:
    """The task of a competition.

    Args:
        evaluate: must be true for `split="test"`, which spends the benchmark's own answers.

    Raises:
        UsageError: the split is refused or the data is not prepared.
    """
    if split not in ("train", "test"):
        raise UsageError(f"unknown split {split!r}; expected train or test")
    if split == "test" and not evaluate:
        raise UsageError(
            "split='test' scores against the test answers of the benchmark and is refused in"
            " training; for an evaluation, with one submission and an entry in the ledger, pass"
            " evaluate=True"
        )
    return _task(at_revision(catalogue, revision).get_competition(competition_id), split)


def at_revision(catalogue: Catalogue | None, revision: str = DEFAULT_REVISION) -> Catalogue:
    """The catalogue, by default the usual one, with the data of a revision."""
    return replace(catalogue or Catalogue(), revision=revision)


def task_from_facts(facts: dict[str, Any]) -> GymTask:
    """The task in another process."""
    folder = CompetitionFolder(Path(facts["data_dir"]), facts["competition_id"], facts["revision"])
    return _task(load_competition(Path(facts["home"]), folder), facts["split"])


def _task(competition: LocatedCompetition, split: Split) -> GymTask:
    secrets: tuple[Path, ...] = (competition.private_dir,)
    if split == "train":
        competition = locate_holdout(competition)
        secrets = (*secrets, competition.private_dir)
    require_prepared(competition)
    return GymTask(competition, split, tuple(path for path in secrets if path.exists()))
