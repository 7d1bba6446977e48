"""Pictures over time: the runs of a group on the clock, and what one run did in its hours.

However many runs or calls there are, a picture stays small: what falls on the same pixels is drawn
once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from mlebench.results.markup import Markup, element
from mlebench.results.svg import box, line, path, picture, text

WIDTH = 880
EDGE = 8
LEFT = 88
RIGHT = 16
MAX_LANES = 60
"""Up to these every run has a row of its own; beyond, runs share rows."""

SEPARATE_RUNS = 300
"""Up to these every run has words of its own; beyond, touching ones are drawn as one."""

MAX_FLAGS = 200
LANE = 26
TICKS = 8
STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200)
DAY = 86_400
Table = tuple[list[str], list[list[object]]]


@dataclass(frozen=True)
class RunBar:
    """One run on the clock."""

    label: str
    start: float
    """Seconds since the epoch."""

    end: float
    phase: str = "done"
    """`done`, `running` or `failed`; the style sheet knows these."""

    @property
    def is_failed(self) -> bool:
        return self.phase == "failed"


def timeline(runs: Sequence[RunBar]) -> Markup:
    """Wall clock from left to right, a bar for each run, a cross for each failure."""
    if not runs:
        return picture(WIDTH, 24, [text(0, 16, "nothing has started", "start")], "no run")
    ordered = sorted(runs, key=lambda run: (run.start, run.end, run.label))
    start, end = ordered[0].start, max(run.end for run in ordered)
    across = _axis(start, max(end, start + 1), EDGE)
    lanes = _lanes(ordered)
    most = max(lanes) + 1
    rows = min(most, MAX_LANES)
    step = 8 if rows > 20 else 12
    height = 8 + rows * step
    parts = _clock_marks(start, end, across, height)
    spots = [8 + lane * rows // most * step for lane in lanes]
    if len(ordered) <= SEPARATE_RUNS:
        for run, y in zip(ordered, spots, strict=True):
            tip = element("title", f"{run.label}: {run.phase}, {_span(run.end - run.start)}")
            width = max(1.5, across(run.end) - across(run.start) - 1)
            bar = box(across(run.start), y, width, step - 2, f"run {run.phase}")
            parts.append(element("g", tip, bar))
    else:
        parts += _merged_bars(ordered, spots, across, step)
    crosses = {
        (round(across(run.end)), y) for run, y in zip(ordered, spots, strict=True) if run.is_failed
    }
    parts.append(path("".join(_cross(x, y + step / 2 - 1) for x, y in sorted(crosses)), "cross"))
    failed = sum(run.is_failed for run in ordered)
    label = f"{len(runs):,} runs over {_span(end - start)}, {failed:,} failed"
    return picture(WIDTH - LEFT + EDGE, height + 20, parts, label)


def timeline_table(runs: Sequence[RunBar]) -> Table:
    rows: list[list[object]] = [
        [run.label, _utc(run.start), _utc(run.end), _span(run.end - run.start), run.phase]
        for run in sorted(runs, key=lambda run: (run.start, run.end, run.label))
    ]
    return ["run", "start (UTC)", "end (UTC)", "took", "state"], rows


def _lanes(ordered: Sequence[RunBar]) -> list[int]:
    """The row of each run: its own, or the first one that is free again."""
    if len(ordered) <= MAX_LANES:
        return list(range(len(ordered)))
    import heapq

    free: list[int] = []
    busy: list[tuple[float, int]] = []
    lanes = []
    for run in ordered:
        while busy and busy[0][0] <= run.start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        lane = heapq.heappop(free) if free else len(busy)
        heapq.heappush(busy, (run.end, lane))
        lanes.append(lane)
    return lanes


def _merged_bars(
    ordered: Sequence[RunBar],
    spots: Sequence[float],
    across: Callable[[float], float],
    step: float,
) -> list[Markup]:
    """One path for each phase; what touches on the screen is one stroke."""
    strokes: dict[str, dict[float, list[list[int]]]] = {}
    for run, y in zip(ordered, spots, strict=True):
        first, last = round(across(run.start)), max(round(across(run.end)), 1)
        row = strokes.setdefault(run.phase, {}).setdefault(y + step / 2 - 1, [])
        if row and first <= row[-1][1]:
            row[-1][1] = max(row[-1][1], last)
        else:
            row.append([first, max(last, first + 1)])
    return [
        path(
            "".join(f"M{a} {y:g}h{b - a}" for y, row in rows.items() for a, b in row),
            f"runs {phase}",
        )
        for phase, rows in strokes.items()
    ]


@dataclass(frozen=True)
class Span:
    """Something that took time: a call of the model, a command."""

    start: float
    """Seconds since the run began."""

    seconds: float
    is_failure: bool = False
    step: int | None = None
    """Number of the step in the trajectory, for a click."""


@dataclass(frozen=True)
class Flag:
    """A moment: the submission changed, or was validated."""

    seconds: float
    kind: str
    """`changed`, `valid` or `invalid`."""

    words: str = ""


@dataclass(frozen=True)
class Activity:
    """What one run did over its hours."""

    seconds: float
    """How long the axis is: the time used, or the limit while it runs."""

    spans: Mapping[str, Sequence[Span]] = field(default_factory=dict)
    """Lanes of bars: `model calls`, `commands`."""

    curves: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    """Lanes of (second, value): `CPUs`, `memory`, `disk`, `GPU`."""

    flags: Sequence[Flag] = ()


def hours_plot(activity: Activity) -> Markup:
    """Lanes over elapsed time; a flag for every change and validation of the submission."""
    across = _axis(0, max(activity.seconds, 1), LEFT)
    rows = 1 + len(activity.spans) + len(activity.curves)
    height = 6 + rows * LANE
    parts = _elapsed_marks(activity.seconds, across, height)
    parts += [text(0, 22, "submission", "start"), *_flags(activity.flags, across)]
    number = 1
    for name, spans in activity.spans.items():
        top = 6 + LANE * number
        parts.append(text(0, top + 16, f"{name}", "start"))
        parts += _span_lane(spans, across, top)
        number += 1
    for name, points in activity.curves.items():
        top = 6 + LANE * number
        most = max((value for _, value in points), default=0.0)
        parts.append(text(0, top + 11, name, "start"))
        parts.append(text(0, top + 22, f"≤ {_amount(name, most)}", "start", "small"))
        parts.append(path(_curve(points, most, across, top), "area"))
        number += 1
    label = f"{_span(activity.seconds)} of work: submission, {', '.join(_lane_names(activity))}"
    return picture(WIDTH, height + 20, parts, label)


def hours_table(activity: Activity) -> Table:
    """The flags in their order, then the sums of the lanes."""
    rows: list[list[object]] = [
        [_span(flag.seconds), f"submission {flag.kind}", flag.words]
        for flag in sorted(activity.flags, key=lambda flag: flag.seconds)[:MAX_FLAGS]
    ]
    for name, spans in activity.spans.items():
        failed = sum(span.is_failure for span in spans)
        took = _span(sum(span.seconds for span in spans))
        rows.append([took, name, f"{len(spans):,}, {failed:,} of them failed"])
    for name, points in activity.curves.items():
        most = max((value for _, value in points), default=0.0)
        rows.append([None, name, f"at most {_amount(name, most)}"])
    return ["when or how long", "what", "details"], rows


def _lane_names(activity: Activity) -> list[str]:
    return [*activity.spans, *activity.curves]


def _flags(flags: Sequence[Flag], across: Callable[[float], float]) -> list[Markup]:
    """Changes point up from the base line, validations hang above them."""
    parts = []
    for flag in list(flags)[:MAX_FLAGS]:
        x = across(flag.seconds)
        y = 6 if flag.kind == "changed" else 18
        tip = element(
            "title", f"{_span(flag.seconds)}: submission {flag.kind} {flag.words}".strip()
        )
        shape = path(f"M{x:.1f} {y}v10M{x:.1f} {y}h7l-2 2.5l2 2.5h-7z", f"flag {flag.kind}")
        parts.append(element("g", tip, shape))
    return parts


def _span_lane(spans: Sequence[Span], across: Callable[[float], float], top: float) -> list[Markup]:
    """Bars at least a pixel wide; the ones on the same pixels are drawn once, failures on top."""
    drawn: dict[tuple[int, bool], tuple[int, int | None]] = {}
    for span in spans:
        x = round(across(span.start))
        width = max(1, round(across(span.start + span.seconds)) - x)
        key = (x, span.is_failure)
        if key not in drawn or drawn[key][0] < width:
            drawn[key] = (width, span.step)
    return [
        box(x, top + 5, width, 14, "span failed" if is_failure else "span", data_step=step)
        for (x, is_failure), (width, step) in sorted(drawn.items(), key=lambda item: item[0][1])
    ]


def _curve(
    points: Sequence[tuple[float, float]],
    most: float,
    across: Callable[[float], float],
    top: float,
) -> str:
    """An area with the greatest value of each pixel."""
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


def _axis(start: float, end: float, left: float) -> Callable[[float], float]:
    width = (WIDTH - RIGHT - LEFT) / (end - start)
    return lambda moment: left + (min(max(moment, start), end) - start) * width


def _step(seconds: float) -> float:
    wanted = seconds / TICKS
    return next((step for step in STEPS if step >= wanted), DAY * math.ceil(wanted / DAY))


def _clock_marks(
    start: float, end: float, across: Callable[[float], float], height: float
) -> list[Markup]:
    step = _step(max(1.0, end - start))
    form = "%d %b" if step >= DAY else "%H:%M:%S" if step < 60 else "%H:%M"
    if step < DAY and end - start > DAY:
        form = "%d %H:%M"
    parts = []
    mark = math.ceil(start / step) * step
    while mark <= end:
        x = across(mark)
        parts.append(line(x, 4, x, height, "grid"))
        anchor = "start" if x < EDGE + 20 else "middle"
        parts.append(text(x, height + 14, datetime.fromtimestamp(mark, UTC).strftime(form), anchor))
        mark += step
    return parts


def _elapsed_marks(seconds: float, across: Callable[[float], float], height: float) -> list[Markup]:
    step = _step(max(1.0, seconds))
    parts = []
    for number in range(int(seconds // step) + 1):
        x = across(number * step)
        parts.append(line(x, 4, x, height, "grid"))
        parts.append(text(x, height + 14, _span(number * step)))
    return parts


def _cross(x: float, y: float) -> str:
    return f"M{x - 3} {y - 3:g}l6 6m0-6l-6 6"


def _span(seconds: float) -> str:
    """`3 h 12 m`, `4 m 05 s`, `7 s`."""
    whole = round(seconds)
    if whole >= 3600:
        hours, rest = divmod(whole, 3600)
        return f"{hours} h {rest // 60:02} m" if rest >= 60 else f"{hours} h"
    if whole >= 60:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} m {rest:02} s" if rest else f"{minutes} m"
    return f"{whole} s"


def _utc(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _amount(name: str, value: float) -> str:
    if name in ("memory", "disk"):
        return f"{value / 1e9:.3g} GB" if value >= 1e8 else f"{value / 1e6:.3g} MB"
    return f"{value:.3g}" + (" %" if name == "GPU" else "")
