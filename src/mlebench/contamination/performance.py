"""Does performance depend on what a model has seen? Correlations and paired obfuscation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from mlebench.catalogue import Catalogue
from mlebench.contamination.inference import (
    POWER_SIGMAS,
    bootstrap_interval,
    detectable_correlation,
)
from mlebench.errors import BenchError
from mlebench.records.contamination import CompetitionFamiliarity, Correlation, ObfuscationPair
from mlebench.results.attempts import Attempt, by_agent, by_competition, grouped
from mlebench.results.boards import Boards, share_of_teams
from mlebench.results.statistics import compare_values

MIN_COMPETITIONS = 4
DIGITS = 6
Points = dict[str, float]
"""A value for each competition."""


def level_of(attempt: Attempt) -> str:
    """The level of obfuscation of a run, `L0` where it has no record."""
    return attempt.group.settings.obfuscation_level if attempt.group else "L0"


def plainest(attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts at the lowest level of obfuscation, so that no two levels are averaged."""
    lowest = min(map(level_of, attempts))
    return [attempt for attempt in attempts if level_of(attempt) == lowest]


def human_ranks(attempts: Sequence[Attempt], catalogue: Catalogue) -> dict[str, Points]:
    """For each agent and competition the mean share of human teams that it beats."""
    boards = Boards(catalogue)
    return {
        agent: {
            name: round(fmean(share_of_teams(attempt, boards) for attempt in tries), DIGITS)
            for name, tries in by_competition(plainest(own)).items()
        }
        for agent, own in by_agent(attempts).items()
    }


def normalised_scores(attempts: Sequence[Attempt], catalogue: Catalogue) -> Points:
    """The published measure: 0 for the sample submission, 1 for gold; a missing score counts 0.

    Competitions whose sample submission has no score are left out.
    """
    found = {}
    for name, own in by_competition(attempts).items():
        sample = _sample_score(name, catalogue)
        gold = next((a.report.gold_threshold for a in own if a.report), None)
        if sample is None or gold is None or gold == sample:
            continue
        found[name] = fmean(
            0.0 if a.score is None else (a.score - sample) / (gold - sample) for a in own
        )
    return found


def _sample_score(competition_id: str, catalogue: Catalogue) -> float | None:
    try:
        return catalogue.get_competition(competition_id).definition.official_sample_score
    except BenchError:
        return None


def correlate_all(
    familiar: Sequence[CompetitionFamiliarity], attempts: Sequence[Attempt], catalogue: Catalogue
) -> list[Correlation]:
    """Each agent's performance by two measures, against familiarity and its z-score."""
    evidence = [f for f in familiar if f.is_evidence] or familiar
    inputs = {
        "familiarity": {f.competition_id: f.familiarity for f in evidence},
        "control z": {f.competition_id: f.control_z for f in evidence if f.control_z is not None},
    }
    ranks = human_ranks(attempts, catalogue)
    found = []
    for agent, own in by_agent(attempts).items():
        measures = {
            "normalised score (published)": normalised_scores(plainest(own), catalogue),
            "share of human teams beaten": ranks[agent],
        }
        for familiarity, known in inputs.items():
            for performance, reached in measures.items():
                if result := correlate(known, reached):
                    n, values = result
                    found.append(Correlation(agent, familiarity, performance, n, **values))
    return found


def correlate(
    one: Mapping[str, float], other: Mapping[str, float]
) -> tuple[int, dict[str, float]] | None:
    """Both coefficients over the competitions that both have; None if they are too few or equal."""
    from scipy.stats import pearsonr, rankdata, spearmanr

    shared = sorted(set(one) & set(other))
    x, y = (np.array([side[name] for name in shared], dtype=float) for side in (one, other))
    if len(shared) < MIN_COMPETITIONS or not x.std() or not y.std():
        return None

    def resampled(rows: NDArray[np.int64]) -> float:
        if not x[rows].std() or not y[rows].std():
            return math.nan
        return float(np.corrcoef(rankdata(x[rows]), rankdata(y[rows]))[0, 1])

    pearson, spearman = pearsonr(x, y), spearmanr(x, y)
    low, high = bootstrap_interval(resampled, len(shared))
    values = {
        "pearson": pearson.statistic,
        "pearson_p": pearson.pvalue,
        "spearman": spearman.statistic,
        "spearman_p": spearman.pvalue,
        "low": low,
        "high": high,
        "detectable_r": detectable_correlation(len(shared)),
    }
    return len(shared), {name: round(float(value), DIGITS) for name, value in values.items()}


def obfuscation_pairs(attempts: Sequence[Attempt]) -> list[ObfuscationPair]:
    """Every two levels of one agent, over the competitions and seeds that both have."""
    found = []
    for agent, own in by_agent(attempts).items():
        levels = grouped(own, level_of)
        for plain, hidden in combinations(sorted(levels), 2):
            if pair := _pair(agent, (plain, levels[plain]), (hidden, levels[hidden])):
                found.append(pair)
    return found


def _pair(
    agent: str, plain: tuple[str, list[Attempt]], hidden: tuple[str, list[Attempt]]
) -> ObfuscationPair | None:
    sides = [
        {(a.competition_id, a.run.seed): float(a.has("any_medal")) for a in own if a.run}
        for _, own in (plain, hidden)
    ]
    shared = sorted(set(sides[0]) & set(sides[1]))
    if not shared:
        return None
    keys_of = grouped(shared, lambda key: key[0])
    first, second = (
        {name: [side[key] for key in keys] for name, keys in keys_of.items()} for side in sides
    )
    result = compare_values(first, second)
    differences = np.array(list(result.per_competition.values()))
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    return ObfuscationPair(
        agent=agent,
        plain=plain[0],
        obfuscated=hidden[0],
        competitions=result.competitions,
        seeds=len({seed for _, seed in shared}),
        difference=round(result.difference.value, DIGITS),
        low=round(result.difference.low, DIGITS),
        high=round(result.difference.high, DIGITS),
        p=round(result.p_value, DIGITS),
        detectable=round(POWER_SIGMAS * spread / math.sqrt(len(differences)), DIGITS)
        if spread
        else None,
        per_competition={name: round(v, DIGITS) for name, v in result.per_competition.items()},
    )
