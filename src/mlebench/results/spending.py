"""Hours, tokens and cost of attempts, in total and for each medal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mlebench.results.attempts import Attempt, by_agent
from mlebench.results.plots.rates import CostPoint


@dataclass(frozen=True)
class Spending:
    """Sums over attempts; a sum is None if no attempt has a record of it."""

    attempts: int
    medals: int
    hours: float | None
    tokens: int | None
    cost: float | None
    with_model: int
    """Attempts with a record of model calls."""

    def per_medal(self, name: str) -> float | None:
        """`hours`, `tokens` or `cost` for each medal won; None without a medal."""
        total = getattr(self, name)
        return None if total is None or not self.medals else total / self.medals


def sum_spending(attempts: Sequence[Attempt]) -> Spending:
    runs = [attempt.run for attempt in attempts if attempt.run]
    seconds = [run.seconds for run in runs if run.seconds is not None]
    models = [attempt.model for attempt in attempts if attempt.model]
    costs = [model.cost for model in models if model.cost is not None]
    return Spending(
        attempts=len(attempts),
        medals=sum(attempt.has("any_medal") for attempt in attempts),
        hours=sum(seconds) / 3600 if seconds else None,
        tokens=sum(model.tokens for model in models) if models else None,
        cost=sum(costs) if costs else None,
        with_model=len(models),
    )


def cost_points(attempts: Iterable[Attempt]) -> list[CostPoint]:
    """A point for each agent with a known cost."""
    points = []
    for agent, own in by_agent(attempts).items():
        total = sum_spending(own)
        if total.cost and total.with_model:
            percent = 100 * total.medals / total.attempts
            points.append(CostPoint(agent, total.cost / total.with_model, percent, len(own)))
    return points
