"""Pictures as inline SVG: scores among humans, medal rates beside the published ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mlebench.grading.leaderboard import Leaderboard
from mlebench.grading.medals import medal_ranks
from mlebench.results.aggregate import SplitSummary
from mlebench.results.markup import Markup, element, join
from mlebench.results.published import Row

WIDTH, HEIGHT = 420, 64
LEFT, RIGHT, TOP, BASE = 8, 8, 8, 40


def rank_plot(board: Leaderboard, scores: Sequence[float]) -> Markup:
    """Human rank on a log axis, rank 1 at the right; bands are medals, dots are runs."""
    teams = board.teams

    def place(rank: float) -> float:
        share = math.log(max(1.0, rank)) / math.log(max(2, teams))
        return round(LEFT + (1 - share) * (WIDTH - LEFT - RIGHT), 1)

    parts = []
    outer = 1.0
    cuts = board.thresholds
    for medal, rank in medal_ranks(teams).items():
        start, stop = place(max(1, rank)), place(outer)
        parts.append(_box(start, TOP, max(0.5, stop - start), BASE - TOP, f"band-{medal}"))
        parts.append(_text(start, BASE + 12, f"{getattr(cuts, medal):g}"))
        outer = max(1, rank)
    middle = place(max(1, teams / 2))
    parts.append(_line(middle, TOP, middle, BASE, "tick", dashed=True))
    parts.append(_line(LEFT, BASE, WIDTH - RIGHT, BASE, "axis"))
    for number, score in enumerate(scores):
        css = "dot" if number == 0 else "dot hollow"
        x = place(board.rank(score))
        parts.append(element("circle", cx=x, cy=(TOP + BASE) / 2, r=5, class_=css))
    label = f"ranks {', '.join(str(board.rank(s)) for s in scores) or 'none'} of {teams}"
    return _svg(WIDTH, HEIGHT, parts, label)


def medal_rates(summary: Mapping[str, SplitSummary], rows: Sequence[Row]) -> Markup:
    """Any medal by split: dot and 95 % interval, published rows as grey ticks."""
    height = 28 * len(summary) + 24
    left = 90

    def place(percent: float) -> float:
        return round(left + percent / 100 * (WIDTH - left - RIGHT), 1)

    parts = []
    for number, (name, split) in enumerate(summary.items()):
        y = 20 + 28 * number
        parts.append(_text(0, y + 4, f"{name} ({split.competitions})", anchor="start"))
        parts.append(_line(left, y, WIDTH - RIGHT, y, "axis"))
        published = (row.means.get(name) for row in rows)
        parts += [
            _line(place(mean), y - 6, place(mean), y + 6, "tick")
            for mean in published
            if mean is not None
        ]
        estimate = split.measures["any_medal"]
        if estimate.interval:
            low, high = estimate.interval
            parts.append(_line(place(low), y, place(high), y, "bar"))
        parts.append(element("circle", cx=place(estimate.mean), cy=y, r=5, class_="dot"))
    for percent in (0, 25, 50, 75, 100):
        parts.append(_text(place(percent), height - 4, f"{percent} %"))
    return _svg(WIDTH, height, parts, "share of any medal by split")


def _svg(width: int, height: int, parts: Sequence[Markup], label: str) -> Markup:
    title = element("title", label)
    return element(
        "svg",
        title,
        join(parts),
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
    )


def _box(x: float, y: float, width: float, height: float, css: str) -> Markup:
    return element("rect", x=x, y=y, width=round(width, 1), height=height, class_=css)


def _line(x1: float, y1: float, x2: float, y2: float, css: str, *, dashed: bool = False) -> Markup:
    dashes = "4 3" if dashed else None
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=css, stroke_dasharray=dashes)


def _text(x: float, y: float, text: str, anchor: str = "middle") -> Markup:
    return element("text", text, x=x, y=y, text_anchor=anchor)
