"""Logistic regression with random effects of agents and competitions, by Laplace's approximation.

For the effect of one condition on the odds of winning, where some agents are better than others and
some competitions easier. Two standard deviations are estimated; scipy has no such model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
FIXED_PENALTY = 0.01
"""A normal prior of deviation 10 on the log odds, so that a side without a win has an estimate."""

LOG_SPREADS = (-4.0, 2.0)
"""Logarithms of the smallest and the largest standard deviation."""

STEPS = 100


@dataclass(frozen=True)
class MixedFit:
    """The estimate of the condition, in log odds."""

    effect: float
    error: float
    spreads: tuple[float, float]
    """Standard deviations of agents and of competitions."""


@dataclass(frozen=True)
class MixedData:
    """One entry for each agent and competition."""

    wins: Numbers
    tries: Numbers
    condition: Numbers
    """1 or 0."""

    agents: NDArray[np.intp]
    competitions: NDArray[np.intp]

    def design(self, spreads: Numbers) -> Numbers:
        """Intercept, condition, and the random effects in units of their deviation."""
        effects = [
            spread * (of[:, None] == np.arange(of.max() + 1))
            for spread, of in zip(spreads, (self.agents, self.competitions), strict=True)
        ]
        return np.column_stack([np.ones(len(self.wins)), self.condition, *effects])


def fit_mixed(data: MixedData) -> MixedFit:
    """The deviations that make the data most likely, and the effect under them."""
    from scipy.optimize import minimize

    found = minimize(
        lambda logs: -_solve(data, np.exp(logs))[2], np.zeros(2), bounds=[LOG_SPREADS] * 2
    )
    spreads = np.exp(found.x)
    values, curvature, _ = _solve(data, spreads)
    error = float(np.sqrt(np.linalg.inv(curvature)[1, 1]))
    return MixedFit(float(values[1]), error, (float(spreads[0]), float(spreads[1])))


def _solve(data: MixedData, spreads: Numbers) -> tuple[Numbers, Numbers, float]:
    """Newton's method: all effects, the curvature there, and the log likelihood of the spreads."""
    design = data.design(spreads)
    penalty = np.ones(design.shape[1])
    penalty[:2] = FIXED_PENALTY
    values = np.zeros(design.shape[1])
    height = _height(data, design, penalty, values)
    for _ in range(STEPS):
        chances = _chances(design @ values)
        slope = design.T @ (data.wins - data.tries * chances) - penalty * values
        step = np.linalg.solve(_curvature(data, design, penalty, chances), slope)
        while (reached := _height(data, design, penalty, values + step)) < height - 1e-12:
            step = step / 2
        values, gained, height = values + step, reached - height, reached
        if gained < 1e-10:
            break
    curvature = _curvature(data, design, penalty, _chances(design @ values))
    volume = np.linalg.slogdet(curvature[2:, 2:])[1]
    return values, curvature, height - float(volume) / 2


def _chances(odds: Numbers) -> Numbers:
    from scipy.special import expit

    chances: Numbers = expit(odds)
    return chances


def _curvature(data: MixedData, design: Numbers, penalty: Numbers, chances: Numbers) -> Numbers:
    weights = data.tries * chances * (1 - chances)
    return (design.T * weights) @ design + np.diag(penalty)


def _height(data: MixedData, design: Numbers, penalty: Numbers, values: Numbers) -> float:
    odds = design @ values
    likelihood = (data.wins * odds - data.tries * np.logaddexp(0, odds)).sum()
    return float(likelihood - (penalty * values**2).sum() / 2)
