"""Shapes of inline SVG; colours come from the style sheet, by class.

Texts and tips are escaped. Classes and path commands are not: only plots may pass them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from mlebench.results.redaction import visible

LETTER = 6.4
"""Upper estimate of the width of a letter in the plots' 11 px font."""

Table = tuple[list[str], list[list[object]]]
"""The figures of a plot: head and rows."""


def picture(width: float, height: float, parts: Iterable[Markup], label: str) -> Markup:
    """The whole plot; a screen reader reads the label."""
    return Markup(
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img"'
        f' class="plot">{_title(label)}{"".join(parts)}</svg>'
    )


def box(
    x: float, y: float, width: float, height: float, css: str, *, step: int | None = None
) -> Markup:
    """A rectangle; a click on one with a step opens that step of the trajectory."""
    more = "" if step is None else f' data-step="{step:d}"'
    return Markup(
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
        f' class="{css}"{more}/>'
    )


def line(x1: float, y1: float, x2: float, y2: float, css: str) -> Markup:
    return Markup(f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" class="{css}"/>')


def text(x: float, y: float, words: object, anchor: str = "middle", css: str = "") -> Markup:
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    kind = f' class="{css}"' if css else ""
    return Markup(f'<text x="{_n(x)}" y="{_n(y)}"{where}{kind}>{_escaped(str(words))}</text>')


def circle(x: float, y: float, radius: float, css: str, tip: str = "") -> Markup:
    inside = _title(tip) if tip else ""
    return Markup(
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{radius:g}" class="{css}">{inside}</circle>'
    )


def path(commands: str, css: str, tip: str = "") -> Markup:
    inside = _title(tip) if tip else ""
    return Markup(f'<path d="{commands}" class="{css}">{inside}</path>')


def with_tip(tip: str, *parts: Markup) -> Markup:
    """Shapes with a tooltip."""
    return Markup(f"<g>{_title(tip)}{''.join(parts)}</g>")


def _title(words: str) -> str:
    return f"<title>{_escaped(words)}</title>"


def _escaped(words: str) -> str:
    return escape(visible(words))


def rows_without_overlap(
    places: Sequence[tuple[float, str]], left: float, right: float
) -> list[tuple[float, int]]:
    """The x and the row of each centred label, so that none overlap or leave the plot."""
    ends: list[float] = []
    found: dict[int, tuple[float, int]] = {}
    for number in sorted(range(len(places)), key=lambda k: places[k][0]):
        x, words = places[number]
        half = len(words) * LETTER / 2
        x = min(max(x, left + half), right - half)
        row = next((k for k, end in enumerate(ends) if x - half > end), len(ends))
        ends[row : row + 1] = [x + half + LETTER / 2]
        found[number] = (x, row)
    return [found[k] for k in range(len(places))]


def shortened(words: str, length: int) -> str:
    """The beginning of a name that is too long; the label of the plot has the whole name."""
    return words if len(words) <= length else words[: length - 1] + "…"


def _n(value: float) -> str:
    """A coordinate, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")
