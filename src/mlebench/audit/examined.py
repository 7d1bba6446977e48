"""Examined: a prepared competition with its tables, read once, and scores of variations of them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import DataError
from mlebench.grading.grade import Verdict, judge, load_answers, validate
from mlebench.leaderboards.leaderboard import Leaderboard, read_summary, rebuild
from mlebench.records.manifest import read_manifest
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.catalogue import LocatedCompetition


@dataclass(frozen=True)
class Examined:
    """What several checks look at."""

    competition: LocatedCompetition

    @cached_property
    def is_rehearsal(self) -> bool:
        manifest = read_manifest(self.competition.folder)
        return bool(manifest and manifest.is_rehearsal)

    @cached_property
    def has_own_board(self) -> bool:
        """Whether the board belongs to this data; not for rehearsal data of a real competition."""
        return not (self.is_rehearsal and self.competition.load_checksums())

    @cached_property
    def board(self) -> Leaderboard | None:
        """The board, if it can be read and has the direction of the metric."""
        try:
            facts = read_summary(self.competition.home / "leaderboard.json")
        except DataError:
            return None
        is_lower_better = self.competition.definition.metric.is_lower_better
        return rebuild(facts) if facts["lower_is_better"] is is_lower_better else None

    @cached_property
    def sample(self) -> pd.DataFrame:
        return read_table(self.competition.sample_submission)

    @cached_property
    def good(self) -> pd.DataFrame:
        """The gold submission, or the sample if gold names the predicted column differently."""
        gold = read_table(self.competition.gold_submission)
        return gold if self.targets and self.targets[-1] in gold.columns else self.sample

    @cached_property
    def targets(self) -> list[str]:
        """The predicted columns, in the order in which the sample has them."""
        predicted = self.competition.definition.submission.targets
        return [str(name) for name in self.sample.columns if name in predicted]

    @cached_property
    def id_name(self) -> str:
        return self.competition.definition.submission.id or str(self.good.columns[0])

    @cached_property
    def answers(self) -> Any:
        return load_answers(self.competition.answers, self.competition.definition.texts)

    @cached_property
    def gold_verdict(self) -> Verdict:
        return judge(self.competition.gold_submission, self.competition)

    @cached_property
    def sample_verdict(self) -> Verdict:
        return judge(self.competition.sample_submission, self.competition)

    def verdict_on(self, table: pd.DataFrame) -> Verdict:
        """The score of a table, written and read as a submission is."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "submission.csv"
            write_table(table, path)
            return judge(path, self.competition)

    def refusal_of(self, table: pd.DataFrame) -> str | None:
        """The reason for which validation rejects a table."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "submission.csv"
            write_table(table, path)
            return validate(path, self.competition)

    def is_better(self, one: float | None, other: float | None) -> bool:
        """Whether one score is strictly better, in the direction of the metric."""
        if one is None or other is None:
            return False
        return one < other if self.competition.definition.metric.is_lower_better else one > other
