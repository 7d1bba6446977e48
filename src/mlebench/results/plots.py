"""Pictures as inline SVG, each with its figures as a small table (head and rows).

Ranks among humans, medal rates beside the published ones, cost, progress over hours; the pictures
over time are in `time_plots`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mlebench.leaderboards.leaderboard import Leaderboard
from mlebench.leaderboards.medals import medal_ranks
from mlebench.results.aggregate import SplitSummary
from mlebench.results.markup import Markup, element
from mlebench.results.published import LeaderboardRow
from mlebench.results.svg import (
    LETTER,
    box,
    circle,
    line,
    path,
    picture,
    rows_without_overlap,
    text,
)
from mlebench.results.time_plots import (
    Activity,
    Flag,
    RunBar,
    Span,
    hours_plot,
    hours_table,
    timeline,
    timeline_table,
)

__all__ = [
    "Activity",
    "CostPoint",
    "Flag",
    "RunBar",
    "Span",
    "cost_plot",
    "cost_table",
    "hours_plot",
    "hours_table",
    "medal_rate_table",
    "medal_rates",
    "progress_plot",
    "progress_table",
    "rank_plot",
    "rank_rows",
    "rank_table",
    "timeline",
    "timeline_table",
]

WIDTH = 440
EDGE = 8
BAND = 36
LABEL_ROW = 13
SEPARATE_DOTS = 24
"""Beyond these the dots of a row are one path without words of their own."""

MAX_ROWS = 40
Table = tuple[list[str], list[list[object]]]


def rank_plot(board: Leaderboard, scores: Sequence[float], *, mine: int | None = 0) -> Markup:
    """Human rank on a log axis, rank 1 at the right; bands are medals, dots are runs.

    Args:
        mine: which of the scores is the filled dot; the others are hollow.
    """
    place = _rank_axis(board.teams, EDGE)
    parts, height = _bands(board, place, EDGE, BAND)
    parts += _dots(board, scores, place, EDGE + BAND / 2, mine)
    ranks = ", ".join(f"{board.rank(score):,}" for score in scores[:20]) or "none"
    return picture(WIDTH, height, parts, f"rank {ranks} of {board.teams:,} teams, log scale")


def rank_rows(board: Leaderboard, scores: Mapping[str, Sequence[float]]) -> Markup:
    """The same with one row for each agent."""
    shown = dict(list(scores.items())[:MAX_ROWS])
    left = EDGE + LETTER * min(24, max((len(name) for name in shown), default=0)) + 4
    place = _rank_axis(board.teams, left)
    parts, height = _bands(board, place, left, BAND * max(1, len(shown)))
    for number, (name, found) in enumerate(shown.items()):
        y = EDGE + BAND * number + BAND / 2
        label = text(0, y + 4, _shortened(name, 24), "start")
        parts += [element("g", element("title", name), label), line(left, y, WIDTH, y, "grid")]
        parts += _dots(board, found, place, y, 0)
    words = f"ranks of {', '.join(shown)} among {board.teams:,} teams, log scale"
    return picture(WIDTH, height, parts, words)


def rank_table(board: Leaderboard, scores: Mapping[str, Sequence[float]]) -> Table:
    """Score, rank and share of teams beaten of every dot, then the cuts."""
    rows: list[list[object]] = [
        [name, score, board.rank(score), f"{board.human_rank(score):.1%}"]
        for name, found in scores.items()
        for score in found
    ]
    cuts = board.thresholds
    for medal, rank in medal_ranks(board.teams).items():
        rows.append([f"last {medal}", getattr(cuts, medal), max(1, rank), None])
    rows.append(["median", cuts.median, (board.teams + 1) / 2, None])
    return ["who", "score", "rank", "teams beaten"], rows


def _rank_axis(teams: int, left: float) -> Callable[[float], float]:
    span = math.log(max(2, teams))
    return lambda rank: left + (1 - math.log(max(1.0, rank)) / span) * (WIDTH - EDGE - left)


def _bands(
    board: Leaderboard, place: Callable[[float], float], left: float, height: float
) -> tuple[list[Markup], float]:
    """Medal bands, dashed median, axis and the score under each cut; with the picture's height."""
    parts, cuts = [], [(place((board.teams + 1) / 2), f"{board.thresholds.median:g}", "median")]
    outer, bottom = 1.0, EDGE + height
    for medal, rank in medal_ranks(board.teams).items():
        if rank:
            start, stop = place(rank), place(outer)
            parts.append(box(start, EDGE, max(1.0, stop - start), height, f"band-{medal}"))
            cuts.append((start, f"{getattr(board.thresholds, medal):g}", medal))
            outer = rank
    parts.append(line(cuts[0][0], EDGE, cuts[0][0], bottom, "median"))
    parts.append(line(left, bottom, WIDTH - EDGE, bottom, "axis"))
    rows = rows_without_overlap([(x, words) for x, words, _ in cuts], 0, WIDTH)
    for (x, words, kind), (label_x, row) in zip(cuts, rows, strict=True):
        y = bottom + LABEL_ROW * (row + 1)
        parts.append(line(x, bottom, x, bottom + 3, "stem"))
        parts.append(text(label_x, y, words, css=f"cut cut-{kind}"))
    return parts, bottom + LABEL_ROW * (1 + max(row for _, row in rows)) + 5


def _dots(
    board: Leaderboard,
    scores: Sequence[float],
    place: Callable[[float], float],
    y: float,
    mine: int | None,
) -> list[Markup]:
    """Hollow ones first, so that the filled one lies on top."""
    order = sorted(range(len(scores)), key=lambda number: number == mine)
    spots = [(place(board.rank(scores[number])), number == mine) for number in order]
    if len(spots) > SEPARATE_DOTS:
        places = sorted({round(x) for x, is_mine in spots if not is_mine})
        parts = [path("".join(f"M{x} {y:g}h0" for x in places), "dots")]
        return parts + [circle(x, y, 5, "dot") for x, is_mine in spots if is_mine]
    taken: list[tuple[float, float]] = []
    parts = []
    for number, (x, is_mine) in zip(order, spots, strict=True):
        dy = 0.0
        if not is_mine:
            free = (d for d in (0, -9, 9) if all(abs(x - a) > 8 or b != d for a, b in taken))
            dy = next(free, 0)
            taken.append((x, dy))
        tip = f"{scores[number]:g}: rank {board.rank(scores[number]):,} of {board.teams:,}"
        parts.append(circle(x, y + dy, 5, "dot" if is_mine else "dot hollow", tip))
    return parts


def _shortened(words: str, length: int) -> str:
    return words if len(words) <= length else words[: length - 1] + "…"


def medal_rates(summary: Mapping[str, SplitSummary], rows: Sequence[LeaderboardRow]) -> Markup:
    """Any medal by split: dot and 95 % interval, published rows as grey ticks."""
    left, bottom = 96, 12 + 28 * len(summary)
    place = _percent_axis(left)
    parts = [line(place(p), 6, place(p), bottom, "grid") for p in (0, 25, 50, 75, 100)]
    for number, (name, split) in enumerate(summary.items()):
        y = 20 + 28 * number
        parts.append(text(0, y + 4, f"{name} ({split.competitions})", "start"))
        known = sorted({mean for row in rows if (mean := row.means.get(name)) is not None})
        parts.append(path("".join(f"M{place(m):.1f} {y - 6}v12" for m in known), "tick"))
        estimate = split.measures["any_medal"]
        if estimate.interval:
            low, high = estimate.interval
            parts.append(line(place(low), y, place(high), y, "interval"))
            parts += [circle(place(v), y, 3, "seed") for v in sorted(set(estimate.values))]
        parts.append(circle(place(estimate.mean), y, 5, "dot", f"{name}: {estimate.mean:.2f} %"))
    parts += [text(place(p), bottom + 14, f"{p} %") for p in (0, 25, 50, 75, 100)]
    return picture(WIDTH, bottom + 20, parts, "share of any medal by split, with 95 % interval")


def medal_rate_table(summary: Mapping[str, SplitSummary]) -> Table:
    rows: list[list[object]] = []
    for name, split in summary.items():
        estimate = split.measures["any_medal"]
        low, high = estimate.interval or (None, None)
        rows.append([name, split.competitions, split.seeds, estimate.mean, low, high])
    return ["split", "competitions", "seeds", "any medal %", "from", "to"], rows


def _percent_axis(left: float) -> Callable[[float], float]:
    return lambda percent: left + percent / 100 * (WIDTH - left - 24)


@dataclass(frozen=True)
class CostPoint:
    """One agent: what an attempt costs, and how often it wins a medal."""

    agent: str
    cost: float
    """Dollars for one attempt; must be above 0 to stand on the log axis."""

    percent: float
    attempts: int


def cost_plot(points: Sequence[CostPoint]) -> Markup:
    """Cost of an attempt (log) against medal rate, a dot for each agent."""
    shown = [point for point in points if point.cost > 0][:MAX_ROWS]
    left, height = 44, 200
    low, high = _decades([point.cost for point in shown])
    across = _log_axis(low, high, left, WIDTH - 24)
    parts: list[Markup] = []
    for percent in (0, 25, 50, 75, 100):
        y = _down(percent, height)
        parts += [line(left, y, WIDTH - 24, y, "grid")]
        parts += [text(left - 6, y + 4, f"{percent} %", "end")]
    decade = low
    while decade <= high * 1.001:
        parts.append(text(across(decade), height - 4, f"${decade:g}"))
        decade *= 10
    free = 0.0
    for point in sorted(shown, key=lambda point: -point.percent):
        x, y = across(point.cost), _down(point.percent, height)
        tip = f"{point.agent}: ${point.cost:.2f} an attempt, {point.percent:.1f} % any medal"
        parts.append(circle(x, y, 5, "dot", tip))
        anchor, shift = ("start", 8) if x < WIDTH / 2 else ("end", -8)
        free = max(free + 12, y + 4)
        parts.append(text(x + shift, free, _shortened(point.agent, 28), anchor))
    return picture(WIDTH, height, parts, "cost of an attempt against share of any medal")


def cost_table(points: Sequence[CostPoint]) -> Table:
    rows: list[list[object]] = [[p.agent, p.attempts, p.cost, p.percent] for p in points]
    return ["agent", "attempts", "$ an attempt", "any medal %"], rows


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten around the values."""
    if not values:
        return 1.0, 10.0
    low = 10.0 ** math.floor(math.log10(min(values)))
    high = 10.0 ** math.ceil(math.log10(max(values)))
    return low, max(high, low * 10)


def _log_axis(low: float, high: float, left: float, right: float) -> Callable[[float], float]:
    span = math.log(high / low)
    return lambda value: left + math.log(max(value, low) / low) / span * (right - left)


def _down(percent: float, height: float) -> float:
    return 12 + (1 - percent / 100) * (height - 36)


def progress_plot(hours: Sequence[float], shares: Mapping[str, Sequence[float]]) -> Markup:
    """How something in percent grows with the hours (log axis), a line for each name."""
    left, height, width = 44, 200, WIDTH + 120
    right = width - 180
    step = (right - left) / max(1, len(hours) - 1)
    parts: list[Markup] = []
    for percent in (0, 25, 50, 75, 100):
        y = _down(percent, height)
        parts += [line(left, y, right, y, "grid"), text(left - 6, y + 4, f"{percent} %", "end")]
    parts += [text(left + step * k, height - 4, f"{hour:g} h") for k, hour in enumerate(hours)]
    shown = dict(list(shares.items())[:6])
    for number, (name, values) in enumerate(shown.items()):
        spots = [(left + step * k, _down(value, height)) for k, value in enumerate(values)]
        parts.append(path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots), f"curve c{number}"))
        for (x, y), hour, value in zip(spots, hours, values, strict=True):
            parts.append(circle(x, y, 4, f"dot c{number}", f"{name}, {hour:g} h: {value:.1f} %"))
    free = 0.0
    for name in sorted(shown, key=lambda name: -shown[name][-1]):
        free = max(free + 12, _down(shown[name][-1], height) + 4)
        parts.append(text(right + 10, free, _shortened(name, 26), "start"))
    return picture(width, height, parts, f"{', '.join(shares)} by hours, in percent")


def progress_table(hours: Sequence[float], shares: Mapping[str, Sequence[float]]) -> Table:
    rows: list[list[object]] = [[name, *values] for name, values in shares.items()]
    return ["what", *(f"{hour:g} h" for hour in hours)], rows
