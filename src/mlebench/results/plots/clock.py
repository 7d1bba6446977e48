"""Time axes: positions, ticks, and durations as text."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime

from markupsafe import Markup

from mlebench.results.plots.svg import line, text

TICKS = 8
STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200)
DAY = 86_400
Across = Callable[[float], float]
"""Returns the x coordinate of a time."""


def time_axis(start: float, end: float, left: float, right: float) -> Across:
    width = (right - left) / max(end - start, 1)
    return lambda moment: left + (min(max(moment, start), end) - start) * width


def clock_marks(start: float, end: float, across: Across, height: float) -> list[Markup]:
    """Grid lines of a plot of this height, labelled with hours or days (UTC)."""
    step = _step(end - start)
    form = "%d %b" if step >= DAY else "%H:%M:%S" if step < 60 else "%H:%M"
    if step < DAY and end - start > DAY:
        form = "%d %H:%M"
    parts = []
    for number in range(math.ceil(start / step), math.floor(end / step) + 1):
        x = across(number * step)
        label = datetime.fromtimestamp(number * step, UTC).strftime(form)
        parts += _mark(x, height, label, "start" if x < across(start) + 20 else "middle")
    return parts


def elapsed_marks(seconds: float, across: Across, height: float) -> list[Markup]:
    """Grid lines of a plot of this height, labelled with the time since the start."""
    step = _step(seconds)
    times = [number * step for number in range(int(seconds // step) + 1)]
    return [part for time in times for part in _mark(across(time), height, duration(time))]


def _mark(x: float, height: float, label: str, anchor: str = "middle") -> list[Markup]:
    return [line(x, 4, x, height, "grid"), text(x, height + 14, label, anchor)]


def _step(seconds: float) -> float:
    wanted = max(1.0, seconds) / TICKS
    return next((step for step in STEPS if step >= wanted), DAY * math.ceil(wanted / DAY))


def duration(seconds: float) -> str:
    """`3 h 12 m`, `4 m 05 s`, `7 s`, `0.4 s`; rounded down."""
    if seconds < 10:
        return f"{math.floor(seconds * 10) / 10:g} s"
    whole = math.floor(seconds)
    if whole >= 3600:
        hours, rest = divmod(whole, 3600)
        return f"{hours} h {rest // 60:02} m" if rest >= 60 else f"{hours} h"
    if whole >= 60:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} m {rest:02} s" if rest else f"{minutes} m"
    return f"{whole} s"
