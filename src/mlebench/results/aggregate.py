"""Percentages of competitions for each seed; mean, standard error and interval over seeds."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.metrics.spread import student_t
from mlebench.results.attempts import Attempt, by_agent
from mlebench.version import REVISION

MEASURES = {
    "submission_exists": "made submission",
    "valid_submission": "valid submission",
    "above_median": "above median",
    "bronze_medal": "bronze",
    "silver_medal": "silver",
    "gold_medal": "gold",
    "any_medal": "any medal",
}
VALUES = {name: attrgetter(name) for name in MEASURES}
AFTER_INTEGRITY = "any_medal_after_integrity"
"""A further measure, where runs were checked: disqualified runs count as failures."""

WITHOUT_LEAKS = "any_medal_without_leaks"
"""A further measure, where a known leak was used: over the competitions without such a finding."""

CHECKED = {AFTER_INTEGRITY: "any medal after integrity", WITHOUT_LEAKS: "any medal without leaks"}

SPLITS = ("low", "medium", "high", "all")


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
        mean = self.mean
        squares = math.fsum((value - mean) ** 2 for value in self.values)
        return math.sqrt(squares / (n - 1)) / math.sqrt(n)

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval by Student's t, clipped to 0–100; None for one seed."""
        error = self.standard_error
        if error is None:
            return None
        half = student_t(len(self.values) - 1) * error
        return max(0.0, self.mean - half), min(100.0, self.mean + half)


@dataclass(frozen=True)
class SplitSummary:
    """The estimates of one split."""

    split: str
    competitions: int
    seeds: int
    measures: Mapping[str, Estimate]
    """By name; see `shown_measures`."""

    padded: int = 0
    """Attempts that were missing and count as failures."""

    graded: int = 0
    """Attempts that have a report."""

    revision: str = REVISION
    left_out: tuple[str, ...] = ()
    """Competitions of the split that this revision does not score."""

    is_scored: bool = True
    """False if the revision scores none of the competitions, so that all of them are shown."""

    @property
    def denominator(self) -> str:
        """What a percentage is a share of: `73 scored competitions × 3 seeds, revision v1.1`."""
        kind = "scored " if self.is_scored else "not scored "
        noun = "competition" if self.competitions == 1 else "competitions"
        seeds = f"{self.seeds} seed{'' if self.seeds == 1 else 's'}"
        return f"{self.competitions} {kind}{noun} × {seeds}, revision {self.revision}"


def summarize(
    attempts: Sequence[Attempt],
    splits: Mapping[str, Sequence[str]],
    *,
    seeds: int | None = None,
    pad_missing: bool = False,
    unscored: Collection[str] = (),
) -> dict[str, SplitSummary]:
    """The summary of each split, for the attempts of one agent.

    Args:
        pad_missing: count a missing attempt as a failure.
        unscored: competitions that are not part of any rate.

    Raises:
        UsageError: the attempts are of several agents, or one is missing without `pad_missing`.
    """
    by_place = {(a.competition_id, a.seed): a for a in attempts}
    if len(by_place) < len(attempts):
        agents = sorted({a.agent for a in attempts})
        raise UsageError(f"attempts of several agents are not averaged: {', '.join(agents)}")
    count = seeds or max(a.seed for a in attempts) + 1
    revision = revision_of(attempts)
    found = {}
    for name, ids in splits.items():
        scored = [i for i in ids if i not in unscored]
        summary = _summarize_split(name, scored or ids, by_place, count, pad_missing)
        left_out = tuple(i for i in ids if i in unscored) if scored else ()
        found[name] = replace(summary, revision=revision, left_out=left_out, is_scored=bool(scored))
    return found


def revision_of(attempts: Iterable[Attempt]) -> str:
    """The revision of attempts that are averaged, which is the same for all."""
    return next((a.conditions.revision for a in attempts if a.conditions.revision), REVISION)


def summarize_all(
    attempts: Sequence[Attempt],
    catalogue: Catalogue,
    split: str | None = None,
    *,
    seeds: int | None = None,
    pad_missing: bool = False,
) -> dict[str, dict[str, SplitSummary]]:
    """The summaries of each agent, over one split or over the standard ones that it attempted.

    Args:
        pad_missing: count a missing attempt as a failure, in every split that has an attempt.
    """
    names = (split,) if split else (*SPLITS, "dev", "starter")
    known = {name: catalogue.get_split(name) for name in names}
    if pad_missing and not split:
        present = {attempt.competition_id for attempt in attempts}
        known = {name: ids for name, ids in known.items() if present & set(ids)}
    return summarize_agents(
        attempts,
        known,
        seeds=seeds,
        pad_missing=pad_missing,
        only_known=bool(split),
        unscored=catalogue.unscored(revision_of(attempts)),
    )


def summarize_agents(
    attempts: Sequence[Attempt],
    known: Mapping[str, Sequence[str]],
    *,
    seeds: int | None = None,
    pad_missing: bool = False,
    only_known: bool = False,
    unscored: Collection[str] = (),
) -> dict[str, dict[str, SplitSummary]]:
    """The summaries of each agent, over the splits that it has attempts for.

    Args:
        only_known: require all of these splits of every agent.
        unscored: competitions that are not part of any rate.
    """
    return {
        agent: summarize(
            own,
            known if pad_missing or only_known else present_splits(own, known, unscored),
            seeds=seeds,
            pad_missing=pad_missing,
            unscored=unscored,
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
    reports = [[a.report for a in own if a.report] for own in per_seed]
    estimates = {
        measure: Estimate(tuple(100 * sum(map(value, own)) / len(ids) for own in reports))
        for measure, value in VALUES.items()
    }
    if any(a.integrity is not None for own in per_seed for a in own):
        estimates[AFTER_INTEGRITY] = Estimate(
            tuple(
                100 * sum(a.has("any_medal") and not a.is_disqualified for a in own) / len(ids)
                for own in per_seed
            )
        )
    leaky = {a.competition_id for own in per_seed for a in own if a.uses_leak}
    if leaky and (rest := [i for i in ids if i not in leaky]):
        estimates[WITHOUT_LEAKS] = Estimate(
            tuple(
                100 * sum(a.has("any_medal") for a in own if a.competition_id in rest) / len(rest)
                for own in per_seed
            )
        )
    graded = sum(a.report is not None for own in per_seed for a in own)
    return SplitSummary(name, len(ids), seeds, estimates, len(missing), graded)


def shown_measures(splits: Iterable[SplitSummary]) -> dict[str, str]:
    """Names and titles of the measures; those of `CHECKED` only where a split has them."""
    found = {name for split in splits for name in split.measures}
    return MEASURES | {name: title for name, title in CHECKED.items() if name in found}


def present_splits(
    attempts: Sequence[Attempt], known: Mapping[str, Sequence[str]], unscored: Collection[str] = ()
) -> dict[str, list[str]]:
    """The splits with attempts at every competition; if there is none, the split `these`."""
    present = {a.competition_id for a in attempts}
    whole = {
        name: list(ids)
        for name, ids in known.items()
        if set(ids) <= present or (present & set(ids) and set(ids) - set(unscored) <= present)
    }
    return whole or {"these": sorted(present)}
