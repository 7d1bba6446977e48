"""Competitions passed by programs written for the published package.

Such a program may have changed a competition (other answers, another board) or constructed one
with its own grader. Our packages work on a LocatedCompetition; this module converts either.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.catalogue.catalogue import Catalogue
from mlebench.catalogue.located import LocatedCompetition
from mlebench.catalogue.published import is_made_by_us
from mlebench.competitions.hyphenated import competition_id_of, published_score
from mlebench.definition import SCORE_DIGITS, CompetitionDefinition
from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned
from mlebench.metrics.base import Metric
from mlebench.records.folders import CompetitionFolder

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.archives.raw import Raw
    from mlebench.leaderboards.leaderboard import Leaderboard

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GivenCompetition(LocatedCompetition):
    """A competition whose files are where the published record says."""

    given: Any
    """Has the attributes of the published record, `mlebench.registry.Competition`."""

    @property
    def description(self) -> str:
        return str(self.given.description)

    @property
    def answers(self) -> Path:
        return Path(self.given.answers)

    @property
    def gold_submission(self) -> Path:
        return Path(self.given.gold_submission)

    @property
    def sample_submission(self) -> Path:
        return Path(self.given.sample_submission)

    @property
    def leaderboard(self) -> Path:
        """The file that the record names; a full board that was downloaded since replaces ours."""
        named, full = Path(self.given.leaderboard), self.folder.leaderboard
        return full if is_made_by_us(named) and full.is_file() else named

    def load_leaderboard(self) -> Leaderboard:
        from mlebench.leaderboards.leaderboard import from_scores, read_scores

        scores = read_scores(self.leaderboard)
        return from_scores(scores, is_lower_better=bool(scores) and scores[0] < scores[-1])

    def load_checksums(self) -> dict[str, Any]:
        import yaml

        try:
            return yaml.safe_load(Path(self.given.checksums).read_text("utf-8")) or {}
        except FileNotFoundError:
            return {}


def locate(given: Any) -> GivenCompetition:
    """The definition behind a published record, or one made from it, with the record's files."""
    data = Path(given.raw_dir).parent
    folder = CompetitionFolder(data.parent, data.name)
    grade_fn = getattr(given.grader, "grade_fn", None)
    own_id = competition_id_of(grade_fn)
    if own_id is not None:
        own = Catalogue().get_competition(own_id)
        definition, home = own.definition, own.home
    else:
        home = Path(given.leaderboard).parent
        # The function of a competition of another package is bound to its definition.
        if isinstance(grade_fn, partial) and grade_fn.func is published_score:
            definition = grade_fn.args[0]
        else:
            definition = _made_definition(given)
    if competition_id_of(given.prepare_fn) != own_id or own_id is None:
        definition = replace(definition, prepare=_prepare_with(given.prepare_fn))
    return GivenCompetition(replace(definition, id=given.id), home, folder, given)


def _made_definition(given: Any) -> CompetitionDefinition:
    scored = WholeTable(given.grader)
    return CompetitionDefinition(
        id=given.id,
        title=given.name,
        category="",
        complexity="dev",
        prepare=_prepare_with(given.prepare_fn),
        submission=scored,
        metric=Metric(str(getattr(given.grader, "name", "score")), False, scored.score),
    )


@dataclass(frozen=True)
class WholeTable:
    """The format of an external grader: it receives the whole submission and all answers."""

    grader: Any
    id: str | None = None
    targets: tuple[str, ...] = ()

    def keys(self, answers: Any) -> Any:
        return answers

    def check(self, submission: pd.DataFrame, keys: Any) -> None:
        self.score(keys, submission)

    def align(self, submission: pd.DataFrame, answers: Any) -> Aligned:
        return Aligned(answers, submission)

    def score(self, answers: Any, submission: pd.DataFrame) -> float:
        """Rounded here, because numpy's numbers round differently from Python's."""
        grade = getattr(self.grader, "grade_fn", self.grader)
        try:
            return float(round(grade(submission, answers), SCORE_DIGITS))
        except InvalidSubmissionError:
            raise
        except Exception as error:
            # The published package also treats an error in a grader as an invalid submission.
            log.exception("the grader %s failed", getattr(self.grader, "name", grade))
            raise InvalidSubmissionError(f"the grader failed: {error!r}") from error


def _prepare_with(prepare_fn: Callable[..., Any]) -> Callable[[Raw, Path, Path], None]:
    """A preparation by a function that takes three folders; raw data is unpacked for it."""

    def prepare(raw: Raw, public: Path, private: Path) -> None:
        from mlebench.archives.copying import copy_folder

        with tempfile.TemporaryDirectory(dir=public.parent, prefix=".raw-") as unpacked:
            copy_folder(raw, Path(unpacked))
            prepare_fn(raw=Path(unpacked), public=public, private=private)

    return prepare
