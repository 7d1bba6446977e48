"""What attempts took: hours, tokens, money; for one attempt and for one medal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mlebench.records.run import RunRecord
from mlebench.results.aggregate import by_agent
from mlebench.results.attempts import Attempt
from mlebench.results.plots.rates import CostPoint


@dataclass(frozen=True)
class Spending:
    """Sums over attempts; a sum without any record is None, and each has its count."""

    attempts: int
    medals: int
    hours: float | None
    with_hours: int
    tokens: int | None
    cost: float | None
    with_model: int
    """Attempts whose record tells of model calls."""

    def per_medal(self, name: str) -> float | None:
        """`hours`, `tokens` or `cost` for each medal won; none without a medal."""
        total = getattr(self, name)
        return None if total is None or not self.medals else total / self.medals


def tokens_of(run: RunRecord | None) -> int | None:
    """All tokens of a run; None for a run without a model."""
    return run.model.tokens if run and run.model else None


def cost_of(run: RunRecord | None) -> float | None:
    """Dollars, where the model has a price."""
    return run.model.cost if run and run.model else None


def sum_spending(attempts: Sequence[Attempt]) -> Spending:
    runs = [attempt.run for attempt in attempts]
    seconds = [run.seconds for run in runs if run and run.seconds is not None]
    tokens = [found for run in runs if (found := tokens_of(run)) is not None]
    costs = [cost for run in runs if (cost := cost_of(run)) is not None]
    return Spending(
        attempts=len(attempts),
        medals=sum(attempt.has("any_medal") for attempt in attempts),
        hours=sum(seconds) / 3600 if seconds else None,
        with_hours=len(seconds),
        tokens=sum(tokens) if tokens else None,
        cost=sum(costs) if costs else None,
        with_model=len(tokens),
    )


def cost_points(attempts: Iterable[Attempt]) -> list[CostPoint]:
    """A dot for each agent whose cost is known."""
    points = []
    for agent, own in by_agent(attempts).items():
        total = sum_spending(own)
        if total.cost and total.with_model:
            percent = 100 * total.medals / total.attempts
            points.append(CostPoint(agent, total.cost / total.with_model, percent, len(own)))
    return points
