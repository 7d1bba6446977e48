"""Plots of the page: scatter, dates with cut-offs, differences of obfuscation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from markupsafe import Markup

from mlebench.records.contamination import ObfuscationPair
from mlebench.results.plots.svg import circle, line, picture, shortened, text

WIDTH, HEIGHT = 560, 260
LEFT, RIGHT, TOP, BOTTOM = 48, WIDTH - 16, 12, HEIGHT - 40


def scatter(points: Mapping[str, tuple[float, float]], across: str) -> Markup:
    """A dot for each competition: familiarity across, share of human teams beaten upwards."""
    low, high = _span([x for x, _ in points.values()])
    parts = _share_grid()
    for tick in (low, (low + high) / 2, high):
        parts.append(text(_place(tick, low, high), BOTTOM + 16, f"{tick:.2f}"))
    parts.append(text((LEFT + RIGHT) / 2, HEIGHT - 6, across))
    for name, (x, share) in points.items():
        tip = f"{name}: {across} {x:.3f}, beats {100 * share:.0f} % of the teams"
        parts.append(circle(_place(x, low, high), _down(share), 4, "dot", tip))
    return picture(WIDTH, HEIGHT, parts, f"{across} and share of human teams beaten")


def dates_plot(
    deadlines: Mapping[str, str], shares: Mapping[str, float], cutoffs: Mapping[str, str]
) -> Markup:
    """A dot for each competition at its deadline; a dashed line at each model's cut-off."""
    days = {name: date.fromisoformat(day).toordinal() for name, day in deadlines.items()}
    lines = {name: date.fromisoformat(day).toordinal() for name, day in cutoffs.items()}
    low, high = _span([float(day) for day in (*days.values(), *lines.values())])
    parts = _share_grid()
    for year in range(date.fromordinal(int(low)).year, date.fromordinal(int(high)).year + 1):
        x = _place(date(year, 1, 1).toordinal(), low, high)
        if LEFT <= x <= RIGHT:
            parts.append(text(x, BOTTOM + 16, year))
    for number, (name, day) in enumerate(lines.items()):
        x = _place(day, low, high)
        parts += [
            line(x, TOP, x, BOTTOM, "median"),
            text(min(x, RIGHT), HEIGHT - 6 - 12 * (number % 2), shortened(name, 24), "end"),
        ]
    for name, day in days.items():
        if name in shares:
            tip = f"{name}, {deadlines[name]}: beats {100 * shares[name]:.0f} % of the teams"
            parts.append(circle(_place(day, low, high), _down(shares[name]), 4, "dot", tip))
    return picture(WIDTH, HEIGHT, parts, "share of human teams beaten by deadline, with cut-offs")


def pairs_plot(pairs: Sequence[ObfuscationPair]) -> Markup:
    """Difference and 95 % interval of each pair, in percentage points."""
    step, left = 28, 190
    reach = max([10.0, *(abs(v) for p in pairs for v in (p.low, p.high))])
    height = 24 + step * len(pairs)

    def across(points: float) -> float:
        return left + (points + reach) / (2 * reach) * (RIGHT - left)

    parts = [line(across(0), 4, across(0), height - 20, "median")]
    parts += [text(across(v), height - 6, f"{v:+.0f}") for v in (-reach, 0, reach)]
    for number, pair in enumerate(pairs):
        y = 16 + step * number
        name = f"{shortened(pair.agent, 16)} {pair.obfuscated} − {pair.plain}"
        tip = f"{name}: {pair.difference:+.1f} ({pair.low:+.1f} to {pair.high:+.1f})"
        parts += [
            text(0, y + 4, name, "start"),
            line(across(pair.low), y, across(pair.high), y, "interval"),
            circle(across(pair.difference), y, 5, "dot", tip),
        ]
    return picture(WIDTH, height, parts, "any medal, obfuscated minus plain, in percentage points")


def _share_grid() -> list[Markup]:
    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = _down(percent / 100)
        parts += [line(LEFT, y, RIGHT, y, "grid"), text(LEFT - 6, y + 4, f"{percent} %", "end")]
    return parts


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _place(value: float, low: float, high: float) -> float:
    return LEFT + 8 + (value - low) / (high - low) * (RIGHT - LEFT - 16)


def _down(share: float) -> float:
    return TOP + (1 - share) * (BOTTOM - TOP)
