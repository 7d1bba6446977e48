"""Percentages of competitions for each seed; mean, standard error and interval over seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from mlebench.errors import UsageError
from mlebench.results.attempts import Attempt, by_agent

MEASURES = {
    "submission_exists": "made submission",
    "valid_submission": "valid submission",
    "above_median": "above median",
    "bronze_medal": "bronze",
    "silver_medal": "silver",
    "gold_medal": "gold",
    "any_medal": "any medal",
}
SPLITS = ("low", "medium", "high", "all")


@cache
def student_t(degrees: int) -> float:
    """The 97.5 % quantile of Student's t distribution."""
    # Imported here because most summaries have one seed and no interval.
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.975))


@dataclass(frozen=True)
class Estimate:
    """A percentage over seeds."""

    values: tuple[float, ...]
    """One value for each seed."""

    @property
    def mean(self) -> float:
        return math.fsum(self.values) / len(self.values)

    @property
    def standard_error(self) -> float | None:
        """Sample standard deviation / √(number of seeds); None for one seed."""
        n = len(self.values)
        if n < 2:
            return None
        squares = math.fsum((value - self.mean) ** 2 for value in self.values)
        return math.sqrt(squares / (n - 1)) / math.sqrt(n)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval by Student's t, clipped to 0–100; None for one seed."""
        if self.standard_error is None:
            return None
        half = student_t(len(self.values) - 1) * self.standard_error
        return max(0.0, self.mean - half), min(100.0, self.mean + half)


@dataclass(frozen=True)
class SplitSummary:
    """The estimates of one split."""

    split: str
    competitions: int
    seeds: int
    measures: Mapping[str, Estimate]
    padded: int = 0
    """Attempts that were missing and count as failures."""

    graded: int = 0
    """Attempts that have a report."""


def summarize(
    attempts: Sequence[Attempt],
    splits: Mapping[str, Sequence[str]],
    *,
    seeds: int | None = None,
    pad_missing: bool = False,
) -> dict[str, SplitSummary]:
    """The summary of each split, for the attempts of one agent.

    Args:
        pad_missing: count a missing attempt as a failure.

    Raises:
        UsageError: the attempts are of several agents, or one is missing without `pad_missing`.
    """
    by_place = {(a.competition_id, a.seed): a for a in attempts}
    if len(by_place) < len(attempts):
        agents = sorted({a.agent for a in attempts})
        raise UsageError(f"attempts of several agents are not averaged: {', '.join(agents)}")
    count = seeds or max(a.seed for a in attempts) + 1
    return {
        name: _summarize_split(name, ids, by_place, count, pad_missing)
        for name, ids in splits.items()
    }


def summarize_agents(
    attempts: Sequence[Attempt],
    known: Mapping[str, Sequence[str]],
    *,
    seeds: int | None = None,
    pad_missing: bool = False,
    only_known: bool = False,
) -> dict[str, dict[str, SplitSummary]]:
    """The summaries of each agent, over the splits that it has attempts for.

    Args:
        only_known: require all of these splits of every agent.
    """
    return {
        agent: summarize(
            own,
            known if pad_missing or only_known else present_splits(own, known),
            seeds=seeds,
            pad_missing=pad_missing,
        )
        for agent, own in by_agent(attempts).items()
    }


def _summarize_split(
    name: str,
    ids: Sequence[str],
    by_place: Mapping[tuple[str, int], Attempt],
    seeds: int,
    pad_missing: bool,
) -> SplitSummary:
    missing = [(i, seed) for seed in range(seeds) for i in ids if (i, seed) not in by_place]
    if missing and not pad_missing:
        competition, seed = missing[0]
        raise UsageError(
            f"{len(missing)} of {len(ids) * seeds} reports of split {name!r} are missing,"
            f" the first: {competition}, seed {seed}",
            hint="--pad-missing counts them as failures",
        )
    per_seed = [[found for i in ids if (found := by_place.get((i, seed)))] for seed in range(seeds)]
    estimates = {
        measure: Estimate(
            tuple(100 * sum(a.has(measure) for a in own) / len(ids) for own in per_seed)
        )
        for measure in MEASURES
    }
    graded = sum(a.report is not None for own in per_seed for a in own)
    return SplitSummary(name, len(ids), seeds, estimates, len(missing), graded)


def present_splits(
    attempts: Sequence[Attempt], known: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """The splits with attempts at every competition; if there is none, the split `these`."""
    present = {a.competition_id for a in attempts}
    whole = {name: list(ids) for name, ids in known.items() if set(ids) <= present}
    return whole or {"these": sorted(present)}
