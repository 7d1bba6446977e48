"""Before and after the cut-off: deadlines of competitions, dates of models, both from the user."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import combinations
from pathlib import Path
from statistics import NormalDist

import msgspec
import numpy as np
from numpy.typing import NDArray

from mlebench.contamination.inference import POWER_SIGMAS, resampled_means
from mlebench.contamination.mixed import MixedData, fit_mixed
from mlebench.contamination.performance import plainest
from mlebench.errors import UsageError
from mlebench.records.codec import DAMAGE, read_bytes
from mlebench.records.contamination import CutoffEffect, CutoffPair, CutoffRow, CutoffSide
from mlebench.results.attempts import Attempt, by_agent, by_competition

DIGITS = 6
FIT_DIGITS = 4
"""Of an iterative fit, whose last digits depend on the number of threads."""

Rates = Mapping[str, float]
"""Any-medal percentage by competition."""


class ModelDates(msgspec.Struct, frozen=True):
    """What the maker of a model states."""

    cutoff: date
    released: date | None = None


class KnownDates(msgspec.Struct):
    """Deadlines by competition and dates by model."""

    deadlines: dict[str, date] = {}
    models: dict[str, ModelDates] = {}


def read_dates(files: Sequence[Path]) -> KnownDates:
    """JSON with `models` and `deadlines`, or Meta Kaggle's `Competitions.csv` with deadlines."""
    found = KnownDates()
    for file in files:
        if file.suffix.lower() == ".csv":
            found.deadlines |= _meta_kaggle(file)
            continue
        try:
            stated = msgspec.json.decode(read_bytes(file), type=KnownDates)
        except DAMAGE as error:
            raise UsageError(
                f'{file} has no dates: {error}; expected {{"models": {{"NAME": {{"cutoff":'
                ' "2023-10-01"}}, "deadlines": {"COMPETITION": "2019-08-30"}}'
            ) from None
        found.deadlines |= stated.deadlines
        found.models |= stated.models
    return found


def _meta_kaggle(file: Path) -> dict[str, date]:
    with file.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream)
        if not {"Slug", "DeadlineDate"} <= set(rows.fieldnames or ()):
            raise UsageError(f"{file} has no columns Slug and DeadlineDate, as Meta Kaggle has")
        return {
            row["Slug"]: datetime.strptime(row["DeadlineDate"].split()[0], "%m/%d/%Y").date()
            for row in rows
            if row["DeadlineDate"]
        }


def cutoff_rows(attempts: Sequence[Attempt], dates: KnownDates) -> list[CutoffRow]:
    """Each agent whose model has a stated cut-off; competitions without a deadline do not count."""
    found = []
    for agent, model, own in _dated(attempts, dates):
        cutoff = dates.models[model].cutoff
        before, after = _sides(_rates(own), dates.deadlines, cutoff)
        sides = _side(before), _side(after)
        difference = _difference(before, after)
        found.append(CutoffRow(agent, model, cutoff.isoformat(), *sides, *difference))
    return found


def cutoff_pairs(attempts: Sequence[Attempt], dates: KnownDates) -> list[CutoffPair]:
    """How much more a newer model gains on competitions before its cut-off than on later ones."""
    dated = [
        (dates.models[model], agent, _rates(own)) for agent, model, own in _dated(attempts, dates)
    ]
    ordered = sorted(dated, key=lambda one: (one[0].cutoff, one[1]))
    found = []
    for (before, older, first), (after, newer, second) in combinations(ordered, 2):
        if before.cutoff == after.cutoff:
            continue
        gains = {n: second[n] - first[n] for n in sorted(set(first) & set(second))}
        old, new = _sides(gains, dates.deadlines, after.cutoff)
        difference = _difference(new, old)
        split_at = after.cutoff.isoformat()
        found.append(CutoffPair(older, newer, split_at, len(old), len(new), *difference))
    return found


def cutoff_effect(attempts: Sequence[Attempt], dates: KnownDates) -> CutoffEffect | None:
    """One effect for all agents; None with fewer than two, or with one side of the cut-off only."""
    entries = [
        (
            agent,
            name,
            [a.has("any_medal") for a in tries],
            dates.deadlines[name] > dates.models[model].cutoff,
        )
        for agent, model, own in _dated(attempts, dates)
        for name, tries in by_competition(plainest(own)).items()
        if name in dates.deadlines
    ]
    agents, competitions = (sorted({entry[k] for entry in entries}) for k in (0, 1))
    after = np.array([float(entry[3]) for entry in entries])
    if len(agents) < 2 or not 0 < after.sum() < len(after):
        return None
    fit = fit_mixed(
        MixedData(
            wins=np.array([float(sum(entry[2])) for entry in entries]),
            tries=np.array([float(len(entry[2])) for entry in entries]),
            condition=after,
            agents=np.array([agents.index(entry[0]) for entry in entries]),
            competitions=np.array([competitions.index(entry[1]) for entry in entries]),
        )
    )
    normal = NormalDist()
    half = normal.inv_cdf(0.975) * fit.error
    odds = np.exp([fit.effect, fit.effect - half, fit.effect + half, -POWER_SIGMAS * fit.error])
    ratio, low, high, detectable = (round(float(value), FIT_DIGITS) for value in odds)
    return CutoffEffect(
        agents=len(agents),
        competitions=len(competitions),
        before=int(len(after) - after.sum()),
        after=int(after.sum()),
        odds_ratio=ratio,
        low=low,
        high=high,
        p=round(2 * normal.cdf(-abs(fit.effect) / fit.error), FIT_DIGITS),
        detectable=detectable,
        agent_spread=round(fit.spreads[0], FIT_DIGITS),
        competition_spread=round(fit.spreads[1], FIT_DIGITS),
    )


def _dated(
    attempts: Sequence[Attempt], dates: KnownDates
) -> Iterator[tuple[str, str, list[Attempt]]]:
    """Agent, model and attempts of each agent with one model whose cut-off is known."""
    for agent, own in by_agent(attempts).items():
        models = {a.group.settings.model for a in own if a.group and a.group.settings.model}
        if len(models) == 1 and (model := models.pop()) in dates.models:
            yield agent, model, own


def _rates(attempts: Sequence[Attempt]) -> Rates:
    return {
        name: 100 * sum(a.has("any_medal") for a in own) / len(own)
        for name, own in by_competition(plainest(attempts)).items()
    }


def _sides(
    values: Rates, deadlines: Mapping[str, date], cutoff: date
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    known = [name for name in sorted(values) if name in deadlines]
    before = [values[name] for name in known if deadlines[name] <= cutoff]
    after = [values[name] for name in known if deadlines[name] > cutoff]
    return np.array(before), np.array(after)


def _side(values: NDArray[np.float64]) -> CutoffSide:
    if not len(values):
        return CutoffSide(0)
    return CutoffSide(len(values), *_estimate(float(values.mean()), resampled_means(values)))


def _difference(
    before: NDArray[np.float64], after: NDArray[np.float64]
) -> tuple[float, float, float] | tuple[None, None, None]:
    """After minus before, with its 95 % interval over resampled competitions of each side."""
    if not len(before) or not len(after):
        return None, None, None
    draws = resampled_means(after, seed=1) - resampled_means(before)
    return _estimate(float(after.mean() - before.mean()), draws)


def _estimate(value: float, draws: NDArray[np.float64]) -> tuple[float, float, float]:
    low, high = np.percentile(draws, [2.5, 97.5])
    return round(value, DIGITS), round(float(low), DIGITS), round(float(high), DIGITS)
