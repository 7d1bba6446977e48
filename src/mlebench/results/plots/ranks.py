"""The ranks of scores among the teams of a competition."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from markupsafe import Markup

from mlebench.leaderboards.leaderboard import Leaderboard
from mlebench.leaderboards.medals import medal_ranks
from mlebench.results.plots.svg import (
    Table,
    box,
    circle,
    line,
    path,
    picture,
    rows_without_overlap,
    shortened,
    text,
)

WIDTH = 440
EDGE = 8
TOP = 16
"""Space above the bands for their letters."""

BAND = 36
LABEL_ROW = 13
LONGEST_NAME = 66
SEPARATE_DOTS = 24
"""Beyond this number the dots of a row are one path without tooltips."""

MAX_ROWS = 40


def rank_plot(board: Leaderboard, scores: Sequence[float], *, mine: int | None = 0) -> Markup:
    """Human rank on a log axis, rank 1 at the right; bands are medals, dots are runs.

    Args:
        mine: the index of the score with the filled dot; the others are hollow.
    """
    ranks = ", ".join(f"{board.rank(score):,}" for score in scores[:20]) or "none"
    parts, height = _bands(board, BAND)
    parts += _dots(board, scores, TOP + BAND / 2, mine)
    return picture(WIDTH, height, parts, f"rank {ranks} of {board.teams:,} teams, log scale")


def rank_rows(board: Leaderboard, scores: Mapping[str, Sequence[float]]) -> Markup:
    """`rank_plot` with one named row for each agent."""
    shown = dict(list(scores.items())[:MAX_ROWS])
    parts, height = _bands(board, BAND * max(1, len(shown)))
    for number, (name, found) in enumerate(shown.items()):
        top = TOP + BAND * number
        parts.append(line(EDGE, top, WIDTH - EDGE, top, "grid"))
        parts.append(text(EDGE, top + 12, shortened(name, LONGEST_NAME), "start", "name"))
        parts += _dots(board, found, top + BAND - 10, 0)
    words = f"ranks of {', '.join(shown)} among {board.teams:,} teams, log scale"
    return picture(WIDTH, height, parts, words)


def rank_table(board: Leaderboard, scores: Mapping[str, Sequence[float]]) -> Table:
    """Score, rank and share of teams beaten of every dot, then the thresholds."""
    rows: list[list[object]] = [
        [name, score, board.rank(score), f"{board.teams_beaten(score):.1%}"]
        for name, found in scores.items()
        for score in found
    ]
    cuts = board.thresholds
    for medal, rank in medal_ranks(board.teams).items():
        rows.append([f"last {medal}", getattr(cuts, medal), max(1, rank), None])
    rows.append(["median", cuts.median, (board.teams + 1) / 2, None])
    return ["who", "score", "rank", "teams beaten"], rows


def _axis(teams: int) -> Callable[[float], float]:
    span = math.log(max(2, teams))
    return lambda rank: EDGE + (1 - math.log(max(1.0, rank)) / span) * (WIDTH - 2 * EDGE)


def _bands(board: Leaderboard, height: float) -> tuple[list[Markup], float]:
    """Bands with letters, the median, the score of each threshold; and the height of the plot."""
    place = _axis(board.teams)
    median = place((board.teams + 1) / 2)
    cuts = [(median, f"{board.thresholds.median:g}", "median")]
    letters = [(median, "median")]
    outer, bottom, parts = 1.0, TOP + height, []
    for medal, rank in medal_ranks(board.teams).items():
        if rank:
            start, stop = place(rank), place(outer)
            parts.append(box(start, TOP, max(1.0, stop - start), height, f"band-{medal}"))
            cuts.append((start, f"{getattr(board.thresholds, medal):g}", medal))
            letters.append(((start + stop) / 2, medal[0].upper()))
            outer = rank
    parts.append(line(median, TOP, median, bottom, "median"))
    parts.append(line(EDGE, bottom, WIDTH - EDGE, bottom, "axis"))
    parts += _letters(letters)
    rows = rows_without_overlap([(x, words) for x, words, _ in cuts], 0, WIDTH)
    for (x, words, kind), (label_x, row) in zip(cuts, rows, strict=True):
        parts.append(line(x, bottom, x, bottom + 3, "stem"))
        parts.append(text(label_x, bottom + LABEL_ROW * (row + 1), words, css=f"cut cut-{kind}"))
    return parts, bottom + LABEL_ROW * (1 + max(row for _, row in rows)) + 5


def _letters(letters: Sequence[tuple[float, str]]) -> Iterator[Markup]:
    """G, S and B above their bands, `median` above its line if it fits."""
    for (x, row), (_, words) in zip(rows_without_overlap(letters, 0, WIDTH), letters, strict=True):
        if row == 0 or words != "median":
            yield text(x, TOP - 4, words, css="letter")


def _dots(board: Leaderboard, scores: Sequence[float], y: float, mine: int | None) -> list[Markup]:
    """Hollow dots first, so that the filled one is on top."""
    place = _axis(board.teams)
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
