"""The runs of a group on the clock.

The size of the plot is bounded: many runs on the same pixels are drawn once.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from markupsafe import Markup

from mlebench.results.attempts import grouped
from mlebench.results.plots.clock import Across, clock_marks, duration, time_axis
from mlebench.results.plots.svg import LETTER, Table, box, path, picture, text, with_tip

WIDTH = 800
EDGE = 8
NAME = 14
"""Height of the name above the bars of a row."""

MAX_ROWS = 100
MAX_LANES = 4
"""The most lanes for runs of a row that overlap in time."""

LANED_RUNS = 1000
"""Beyond this number of runs each row has one lane."""

LARGE_BARS = 60
"""Up to this number of runs the bars are high enough for the number of the seed."""

SEPARATE_RUNS = 150
"""Up to this number every run has a tooltip; beyond, adjacent runs are drawn as one."""


@dataclass(frozen=True)
class RunBar:
    """One run on the clock."""

    row: str
    """The name above its bar: the competition."""

    seed: int
    start: float
    """Seconds since the epoch."""

    end: float
    phase: str = "done"
    """`done`, `running` or `failed`: a class of the style sheet."""

    @property
    def label(self) -> str:
        return f"{self.row}, seed {self.seed}"

    @property
    def is_failed(self) -> bool:
        return self.phase == "failed"


@dataclass(frozen=True)
class _Placed:
    """A bar and the y coordinate of its upper edge."""

    bar: RunBar
    y: float


def timeline(runs: Sequence[RunBar]) -> Markup:
    """Wall clock from left to right, a named row for each competition, a cross for each failure."""
    if not runs:
        return picture(WIDTH, 24, [text(0, 16, "no run has started", "start")], "no run")
    ordered = _few_rows(sorted(runs, key=lambda run: (run.start, run.end, run.label)))
    start, end = ordered[0].start, max(run.end for run in ordered)
    across = time_axis(start, end, EDGE, WIDTH - EDGE)
    step = 13 if len(runs) <= LARGE_BARS else 6
    names, placed, height = _layout(
        ordered, across, step, most_lanes=MAX_LANES if len(runs) <= LANED_RUNS else 1
    )
    parts = clock_marks(start, end, across, height)
    if len(runs) <= SEPARATE_RUNS:
        parts += [_bar(one, across, step) for one in placed]
    else:
        parts += _merged_bars(placed, across, step)
    crosses = {
        (round(across(one.bar.end)), one.y + step / 2 - 1) for one in placed if one.bar.is_failed
    }
    marks = "".join(f"M{x - 3} {y - 3:g}l6 6m0-6l-6 6" for x, y in sorted(crosses))
    failed = sum(run.is_failed for run in ordered)
    label = f"{len(runs):,} runs over {duration(end - start)}, {failed:,} failed"
    return picture(WIDTH, height + 20, [*parts, path(marks, "cross"), *names], label)


def timeline_table(runs: Sequence[RunBar], most: int | None = None) -> Table:
    """All runs in order of start, or the first ones."""
    rows: list[list[object]] = [
        [run.label, _utc(run.start), _utc(run.end), duration(run.end - run.start), run.phase]
        for run in sorted(runs, key=lambda run: (run.start, run.end, run.label))[:most]
    ]
    return ["run", "start (UTC)", "end (UTC)", "took", "state"], rows


def _few_rows(ordered: Sequence[RunBar]) -> Sequence[RunBar]:
    """The bars; those beyond `MAX_ROWS` rows are moved to one row."""
    rows = list(dict.fromkeys(run.row for run in ordered))
    if len(rows) <= MAX_ROWS:
        return ordered
    kept, rest = set(rows[:MAX_ROWS]), f"{len(rows) - MAX_ROWS:,} more"
    return [run if run.row in kept else replace(run, row=rest) for run in ordered]


def _layout(
    ordered: Sequence[RunBar], across: Across, step: float, *, most_lanes: int
) -> tuple[list[Markup], list[_Placed], float]:
    """The names of the rows, the bars with their places, and the total height."""
    names, placed, y = [], [], 4.0
    for name, own in grouped(ordered, lambda run: run.row).items():
        right = WIDTH - len(name) * LETTER
        names.append(text(max(0, min(across(own[0].start), right)), y + 10, name, "start", "name"))
        lanes = [lane % most_lanes for lane in _lanes(own)]
        placed += [
            _Placed(run, y + NAME + lane * step) for run, lane in zip(own, lanes, strict=True)
        ]
        y += NAME + (max(lanes) + 1) * step + 2
    return names, placed, y


def _lanes(runs: Sequence[RunBar]) -> Iterator[int]:
    """For each run, in order of start, the first lane that is free."""
    free: list[int] = []
    busy: list[tuple[float, int]] = []
    for run in runs:
        while busy and busy[0][0] <= run.start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        lane = heapq.heappop(free) if free else len(busy)
        heapq.heappush(busy, (run.end, lane))
        yield lane


def _bar(placed: _Placed, across: Across, step: float) -> Markup:
    run = placed.bar
    x = across(run.start)
    width = max(1.5, across(run.end) - x - 1)
    parts = [box(x, placed.y, width, step - 2, f"run {run.phase}")]
    if step > 10 and width > 12:
        parts.append(text(x + 3, placed.y + 9, run.seed, "start", "seed-number"))
    return with_tip(f"{run.label}: {run.phase}, {duration(run.end - run.start)}", *parts)


def _merged_bars(placed: Sequence[_Placed], across: Across, step: float) -> list[Markup]:
    """One path for each phase; runs less than three pixels apart are one stroke."""
    strokes: dict[str, dict[float, list[list[int]]]] = {}
    for one in placed:
        first, last = round(across(one.bar.start)), round(across(one.bar.end))
        row = strokes.setdefault(one.bar.phase, {}).setdefault(one.y + step / 2 - 1, [])
        if row and first <= row[-1][1] + 2:
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


def _utc(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S")
