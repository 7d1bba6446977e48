"""Medal rates by split with the published ones, by cost, and over time."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from mlebench.results.aggregate import SplitSummary
from mlebench.results.attempts import grouped
from mlebench.results.plots.svg import LETTER, Table, circle, line, path, picture, shortened, text
from mlebench.results.published import LeaderboardRow, ranked

WIDTH = 440
HEIGHT = 200
LEFT = 44
RIGHT = WIDTH - 24
MAX_POINTS = 40
MAX_CURVES = 6
MAX_NAME = 34
PERCENTS = (0, 25, 50, 75, 100)


def medal_rates(summary: Mapping[str, SplitSummary], rows: Sequence[LeaderboardRow]) -> Markup:
    """Any medal by split: dot and 95 % interval; published rows as named grey ticks."""
    left, step = 96, 40
    bottom = 12 + step * len(summary)

    def place(percent: float) -> float:
        return left + percent / 100 * (RIGHT - left)

    parts = [line(place(p), 6, place(p), bottom, "grid") for p in PERCENTS]
    for number, (name, split) in enumerate(summary.items()):
        y = 28 + step * number
        parts.append(text(0, y + 4, f"{name} ({split.competitions})", "start"))
        parts += _ticks(rows, name, place, y)
        estimate = split.measures["any_medal"]
        if estimate.interval:
            low, high = estimate.interval
            parts.append(line(place(low), y, place(high), y, "interval"))
            parts += [circle(place(v), y, 3, "seed") for v in sorted(set(estimate.values))]
        parts.append(circle(place(estimate.mean), y, 5, "dot", f"{name}: {estimate.mean:.2f} %"))
    parts += [text(place(p), bottom + 14, f"{p} %") for p in PERCENTS]
    return picture(WIDTH, bottom + 20, parts, "share of any medal by split, with 95 % interval")


def _ticks(
    rows: Sequence[LeaderboardRow], split: str, place: Callable[[float], float], y: float
) -> list[Markup]:
    """A tick for each published mean, best first, with a name if it fits and all names as tip."""
    known = [(mean, row) for row in rows if (mean := row.means.get(split)) is not None]
    equal = grouped(known, lambda pair: pair[0])
    parts, free = [], float(RIGHT + 20)
    for mean in sorted(equal, reverse=True):
        x = place(mean)
        names = "; ".join(f"{row.agent} ({row.models})" for _, row in equal[mean])
        parts.append(path(f"M{x:.1f} {y - 8}v16", "tick", f"{names}: {mean:.2f} %"))
        agent = equal[mean][0][1].agent
        half = len(agent) * LETTER / 2
        if x + half <= free:
            parts.append(text(x, y - 11, agent, css="small"))
            free = x - half - LETTER
    return parts


def medal_rate_table(
    summary: Mapping[str, SplitSummary], rows: Sequence[LeaderboardRow] = ()
) -> Table:
    """The rates of the summary, then the published ones, best first."""
    found: list[list[object]] = []
    for name, split in summary.items():
        estimate = split.measures["any_medal"]
        low, high = estimate.interval or (None, None)
        found.append(
            [name, "these runs", split.competitions, split.seeds, estimate.mean, low, high]
        )
    for name in summary:
        known = [row for row in rows if row.means.get(name) is not None]
        found += [
            [name, f"{row.agent} ({row.models})", None, None, row.means[name], None, None]
            for row in ranked(known, name)
        ]
    return ["split", "who", "competitions", "seeds", "any medal %", "from", "to"], found


@dataclass(frozen=True)
class CostPoint:
    """The cost per attempt and the medal rate of one agent."""

    agent: str
    cost: float
    """US dollars per attempt; only costs above 0 are on the log axis."""

    percent: float
    attempts: int


def cost_plot(points: Sequence[CostPoint]) -> Markup:
    """Cost per attempt (log scale) and medal rate, a dot for each agent."""
    shown = [point for point in points if point.cost > 0][:MAX_POINTS]
    low, high = _decades([point.cost for point in shown])
    span = math.log(high / low)

    def across(cost: float) -> float:
        return LEFT + math.log(max(cost, low) / low) / span * (RIGHT - LEFT)

    parts = _percent_grid(RIGHT)
    decades = [low * 10**k for k in range(round(math.log10(high / low)) + 1)]
    parts += [text(across(decade), HEIGHT - 4, f"${decade:g}") for decade in decades]
    free = 0.0
    for point in sorted(shown, key=lambda point: -point.percent):
        x, y = across(point.cost), _down(point.percent)
        tip = f"{point.agent}: ${point.cost:.2f} per attempt, {point.percent:.1f} % any medal"
        parts.append(circle(x, y, 5, "dot", tip))
        anchor, shift = ("start", 8) if x < WIDTH / 2 else ("end", -8)
        free = max(free + 12, y + 4)
        parts.append(text(x + shift, free, shortened(point.agent, MAX_NAME), anchor))
    return picture(WIDTH, HEIGHT, parts, "cost per attempt and share of any medal")


def cost_table(points: Sequence[CostPoint]) -> Table:
    rows: list[list[object]] = [[p.agent, p.attempts, p.cost, p.percent] for p in points]
    return ["agent", "attempts", "$ per attempt", "any medal %"], rows


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten around the values."""
    if not values:
        return 1.0, 10.0
    low = 10.0 ** math.floor(math.log10(min(values)))
    high = 10.0 ** math.ceil(math.log10(max(values)))
    return low, max(high, low * 10)


def _percent_grid(right: float) -> list[Markup]:
    parts = []
    for percent in PERCENTS:
        y = _down(percent)
        parts += [line(LEFT, y, right, y, "grid"), text(LEFT - 6, y + 4, f"{percent} %", "end")]
    return parts


def _down(percent: float) -> float:
    return 12 + (1 - percent / 100) * (HEIGHT - 36)


def progress_plot(hours: Sequence[float], shares: Mapping[str, Sequence[float]]) -> Markup:
    """Percentages over hours (log axis), a line for each name."""
    width = WIDTH + 120
    right = width - 180
    step = (right - LEFT) / max(1, len(hours) - 1)
    parts = _percent_grid(right)
    parts += [text(LEFT + step * k, HEIGHT - 4, f"{hour:g} h") for k, hour in enumerate(hours)]
    shown = dict(list(shares.items())[:MAX_CURVES])
    for number, (name, values) in enumerate(shown.items()):
        spots = [(LEFT + step * k, _down(value)) for k, value in enumerate(values)]
        parts.append(path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots), f"curve c{number}"))
        for (x, y), hour, value in zip(spots, hours, values, strict=True):
            parts.append(circle(x, y, 4, f"dot c{number}", f"{name}, {hour:g} h: {value:.1f} %"))
    free = 0.0
    for name in sorted(shown, key=lambda name: -shown[name][-1]):
        free = max(free + 12, _down(shown[name][-1]) + 4)
        parts.append(text(right + 10, free, shortened(name, 26), "start"))
    return picture(width, HEIGHT, parts, f"{', '.join(shares)} by hours, in percent")
