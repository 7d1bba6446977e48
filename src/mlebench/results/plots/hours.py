"""What one run did over time: model calls, commands, resources, changes of the submission.

The size of the plot is bounded: calls on the same pixels are drawn once.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from mlebench.results.plots.clock import Across, duration, elapsed_marks, time_axis
from mlebench.results.plots.svg import Table, box, path, picture, text

WIDTH = 880
LEFT = 88
RIGHT = 16
LANE = 26
MAX_FLAGS = 200


@dataclass(frozen=True)
class Span:
    """A model call or a command."""

    start: float
    """Seconds since the run began."""

    seconds: float
    is_failure: bool = False
    step: int | None = None
    """Number of the step in the trajectory that a click opens."""


@dataclass(frozen=True)
class Flag:
    """A change or a validation of the submission."""

    seconds: float
    kind: str
    """`changed`, `valid` or `invalid`."""

    words: str = ""


@dataclass(frozen=True)
class Activity:
    """What one run did over time."""

    seconds: float
    """The length of the axis: the time used so far."""

    spans: Mapping[str, Sequence[Span]] = field(default_factory=dict)
    """The bars of each lane: `model calls`, `commands`."""

    curves: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    """The (second, value) pairs of each lane: `CPUs`, `memory`, `disk`, `GPU`."""

    flags: Sequence[Flag] = ()

    @property
    def peaks(self) -> dict[str, float]:
        """The greatest value of each curve."""
        return {
            name: max((value for _, value in points), default=0.0)
            for name, points in self.curves.items()
        }


def hours_plot(activity: Activity) -> Markup:
    """Lanes over elapsed time; a flag for every change and validation of the submission."""
    across = time_axis(0, max(activity.seconds, 1), LEFT, WIDTH - RIGHT)
    rows = 1 + len(activity.spans) + len(activity.curves)
    height = 6 + rows * LANE
    parts = elapsed_marks(activity.seconds, across, height)
    parts += [text(0, 22, "submission", "start"), *_flags(activity.flags, across)]
    tops = itertools.count(6 + LANE, LANE)
    for (name, spans), top in zip(activity.spans.items(), tops, strict=False):
        parts.append(text(0, top + 16, name, "start"))
        parts += _span_lane(spans, across, top)
    for name, most in activity.peaks.items():
        top = next(tops)
        parts.append(text(0, top + 11, name, "start"))
        parts.append(text(0, top + 22, f"≤ {_amount(name, most)}", "start", "small"))
        parts.append(path(_curve(activity.curves[name], most, across, top), "area"))
    names = ", ".join([*activity.spans, *activity.curves])
    label = f"{duration(activity.seconds)} of work: submission, {names}"
    return picture(WIDTH, height + 20, parts, label)


def hours_table(activity: Activity) -> Table:
    """The flags in chronological order, then the totals of the lanes."""
    rows: list[list[object]] = [
        [duration(flag.seconds), f"submission {flag.kind}", flag.words]
        for flag in sorted(activity.flags, key=lambda flag: flag.seconds)[:MAX_FLAGS]
    ]
    for name, spans in activity.spans.items():
        failed = sum(span.is_failure for span in spans)
        took = duration(sum(span.seconds for span in spans))
        rows.append([took, name, f"{len(spans):,}, {failed:,} of them failed"])
    rows += [
        [None, name, f"at most {_amount(name, most)}"] for name, most in activity.peaks.items()
    ]
    return ["time", "what", "details"], rows


def _flags(flags: Sequence[Flag], across: Across) -> list[Markup]:
    """Changes are in the upper half of the lane, validations in the lower half."""
    parts = []
    for flag in list(flags)[:MAX_FLAGS]:
        x = across(flag.seconds)
        y = 6 if flag.kind == "changed" else 18
        tip = f"{duration(flag.seconds)}: submission {flag.kind} {flag.words}".strip()
        shape = f"M{x:.1f} {y}v10M{x:.1f} {y}h7l-2 2.5l2 2.5h-7z"
        parts.append(path(shape, f"flag {flag.kind}", tip))
    return parts


def _span_lane(spans: Sequence[Span], across: Across, top: float) -> list[Markup]:
    """Bars of at least one pixel; those on the same pixels are drawn once, failures on top."""
    drawn: dict[tuple[int, bool], tuple[int, int | None]] = {}
    for span in spans:
        x = round(across(span.start))
        width = max(1, round(across(span.start + span.seconds)) - x)
        key = (x, span.is_failure)
        if key not in drawn or drawn[key][0] < width:
            drawn[key] = (width, span.step)
    return [
        box(x, top + 5, width, 14, "span failed" if is_failure else "span", step=step)
        for (x, is_failure), (width, step) in sorted(drawn.items(), key=lambda item: item[0][1])
    ]


def _curve(points: Sequence[tuple[float, float]], most: float, across: Across, top: float) -> str:
    """An area under the greatest value of each pixel column."""
    if not points:
        return ""
    base = top + LANE - 3
    peaks: dict[int, float] = {}
    for second, value in points:
        x = round(across(second))
        peaks[x] = max(peaks.get(x, 0.0), value)
    first, last = min(peaks), max(peaks)
    scale = (LANE - 7) / most if most > 0 else 0.0
    steps = "".join(f"L{x} {base - value * scale:.1f}" for x, value in sorted(peaks.items()))
    return f"M{first} {base}{steps}L{last} {base}z"


def _amount(name: str, value: float) -> str:
    if name in ("memory", "disk", "GPU memory"):
        return f"{value / 1e9:.3g} GB" if value >= 1e8 else f"{value / 1e6:.3g} MB"
    return f"{value:.3g}" + {"GPU": " %", "GPU power": " W"}.get(name, "")
