"""The human leaderboard: rebuilt from a summary, or a full one that the user downloaded.

The summary contains the number of teams, the direction, the medal cut-offs, the median, best, worst
and 201 quantiles. The rebuilt board is exact at all of these; ranks in between are interpolated.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import DataError
from mlebench.leaderboards.medals import Thresholds, medal_ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUANTILES = 200
LFS_MARK = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True)
class Leaderboard:
    """Scores of all teams, best first."""

    scores: tuple[float, ...]
    thresholds: Thresholds
    is_rebuilt: bool
    """Whether scores between the known ranks are interpolated."""

    kind: str = "private"
    """`public` where Kaggle's private board is not known."""

    rows_removed: int = 0
    """How many teams the published board lacks."""

    @property
    def share_at_bronze(self) -> float:
        """The share of teams that have exactly the score of the bronze cut-off."""
        return self.scores.count(self.thresholds.bronze) / self.teams

    @property
    def share_with_one_score(self) -> float:
        """The share of teams that have the most frequent score, often that of a public baseline."""
        return Counter(self.scores).most_common(1)[0][1] / self.teams

    @property
    def teams(self) -> int:
        return len(self.scores)

    def rank(self, score: float) -> int:
        """The rank of the score: one plus the better teams, at most the number of teams."""
        return min(self.teams, 1 + self._count_before(score))

    def teams_beaten(self, score: float | None) -> float | None:
        """The share of teams with a strictly worse score."""
        return None if score is None else 1 - self._count_before(score, with_ties=True) / self.teams

    def human_rank(self, score: float | None) -> float | None:
        """The share of teams without a strictly better score: as `teams_beaten`, but with ties.

        This is HumanRank as MLE-Dojo computes it on one leaderboard.
        """
        return None if score is None else 1 - self._count_before(score) / self.teams

    def _count_before(self, score: float, with_ties: bool = False) -> int:
        sought = score if self.thresholds.is_lower_better else -score
        return int(np.searchsorted(self._ascending, sought, "right" if with_ties else "left"))

    @cached_property
    def _ascending(self) -> NDArray[np.float64]:
        return np.asarray(self.scores) * (1 if self.thresholds.is_lower_better else -1)


def load_leaderboard(summary: Path, full: Path, *, is_lower_better: bool) -> Leaderboard:
    """The full board if the user has one, else the one rebuilt from the summary.

    A summary of the other direction is a DataError: with it the worst submission would win gold.
    """
    if full.exists():
        return from_scores(read_scores(full), is_lower_better=is_lower_better)
    facts = read_summary(summary)
    if facts["lower_is_better"] is not is_lower_better:
        found, wanted = (str(value).lower() for value in (not is_lower_better, is_lower_better))
        raise DataError(
            f"the leaderboard {summary} says lower_is_better: {found}, the metric {wanted}",
            hint="make both agree; mlebench check-competition shows more",
        )
    return rebuild(facts)


def read_summary(file: Path) -> dict[str, Any]:
    """The facts of a `leaderboard.json`; DataError names the first one that is missing or wrong."""
    try:
        facts = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise DataError(f"there is no leaderboard: {file} is missing") from None
    except ValueError as error:
        raise DataError(f"the leaderboard {file} is not JSON: {error}") from None
    if not isinstance(facts, dict):
        raise DataError(f"the leaderboard {file} is not a JSON object")
    for name, (is_right, expected) in (EXPECTED | OPTIONAL).items():
        if name not in facts and name in EXPECTED:
            raise DataError(f"the leaderboard {file} has no {name!r}; expected {expected}")
        if name in facts and not is_right(facts[name]):
            found = f"{facts[name]!r:.40}"
            raise DataError(f"{name!r} of the leaderboard {file} is {found}; expected {expected}")
    return facts


def _is_score(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _is_quantiles(value: Any) -> bool:
    fits = isinstance(value, list) and len(value) in (0, QUANTILES + 1)
    return fits and all(map(_is_score, value))


Expected = dict[str, tuple[Callable[[Any], bool], str]]
EXPECTED: Expected = {
    "teams": (lambda value: type(value) is int and value > 0, "a number of teams from 1 on"),
    "lower_is_better": (lambda value: type(value) is bool, "true or false"),
    **dict.fromkeys(
        ("gold", "silver", "bronze", "median", "best", "worst"), (_is_score, "a score")
    ),
    "quantiles": (_is_quantiles, f"a list of {QUANTILES + 1} scores, or an empty one"),
}
OPTIONAL: Expected = {
    "kind": (lambda value: value in ("private", "public"), "private or public"),
    "rows_removed": (lambda value: type(value) is int and value >= 0, "a number of teams"),
}


def from_scores(scores: Iterable[float], *, is_lower_better: bool) -> Leaderboard:
    """A full board; the thresholds follow from it."""
    ordered = sorted((float(s) for s in scores), reverse=not is_lower_better)
    if not ordered or any(math.isnan(s) for s in ordered):
        raise DataError("a leaderboard needs at least one score, and numbers only")
    return Leaderboard(tuple(ordered), thresholds_of(ordered, is_lower_better), is_rebuilt=False)


def thresholds_of(best_first: Sequence[float], is_lower_better: bool) -> Thresholds:
    """The scores at the medal ranks and the median of a board."""
    ranks = medal_ranks(len(best_first))
    # A board of fewer than five teams has no silver rank; the published code then counts from the
    # end, ours takes the best team's score as the threshold.
    cut = {medal: best_first[max(rank, 1) - 1] for medal, rank in ranks.items()}
    median = float(np.median(best_first))
    return Thresholds(**cut, median=median, is_lower_better=is_lower_better)


def rebuild(facts: dict[str, Any]) -> Leaderboard:
    """A board that matches a summary: exact at the medal ranks, median and every half percent."""
    teams = facts["teams"]
    ranks, values = zip(*sorted(_known_ranks(facts, teams).items()), strict=True)
    scores = np.interp(np.arange(1, teams + 1), ranks, values)
    # Interpolation may move a known score by one unit in the last place.
    scores[np.array(ranks) - 1] = values
    cuts = {name: facts[name] for name in ("gold", "silver", "bronze", "median")}
    return Leaderboard(
        tuple(scores.tolist()),
        Thresholds(**cuts, is_lower_better=facts["lower_is_better"]),
        is_rebuilt=True,
        kind=facts.get("kind", "private"),
        rows_removed=facts.get("rows_removed", 0),
    )


def quantile_rank(i: int, teams: int) -> int:
    """The rank whose score is the i-th of the 201 quantiles."""
    # The order of operations matters: it rounds 28/200 of 50 up to rank 8, as in the summaries.
    return max(1, math.ceil(i / QUANTILES * teams))


def _known_ranks(facts: dict[str, Any], teams: int) -> dict[int, float]:
    known = {quantile_rank(i, teams): score for i, score in enumerate(facts["quantiles"])}
    known |= {max(1, rank): facts[medal] for medal, rank in medal_ranks(teams).items()}
    known |= {1: facts["best"], teams: facts["worst"]}
    half = teams // 2
    if teams % 2:
        known[half + 1] = facts["median"]
    elif teams > 2:
        # Without quantiles both scores in the middle are unknown: the median fits them.
        upper = known.setdefault(half, facts["median"])
        known[half + 1] = _partner(upper, facts["median"])
    return known


def _partner(upper: float, median: float) -> float:
    """The score whose mean with `upper` is exactly the given one."""
    guess = 2 * median - upper
    neighbours = (math.nextafter(guess, math.inf), math.nextafter(guess, -math.inf))
    near = (round(guess, 9), guess, *neighbours)
    return next((score for score in near if np.median([upper, score]) == median), guess)


def read_scores(path: Path) -> list[float]:
    """The `score` column of a downloaded board; a Git-LFS pointer is reported as such."""
    from mlebench.tables import read_table

    with path.open("rb") as stream:
        if stream.read(len(LFS_MARK)) == LFS_MARK:
            raise DataError(
                f"{path} is a Git-LFS pointer, not a leaderboard",
                hint=f"replace it: mlebench leaderboard {path.parent.name} --download",
            )
    try:
        table = read_table(path)
        if "score" not in table.columns:
            raise DataError(f"{path} has no column 'score'; found {list(table.columns)}")
        return [float(score) for score in table["score"]]
    except ValueError as error:
        raise DataError(f"{path} is not a table of scores: {error}") from None
