"""Shapes of inline SVG: classes only, colours come from the style sheet; positions are rounded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mlebench.results.markup import Markup, element, join

LETTER = 6.4
"""Width of a letter of the plots' 11 px font, taken generously."""


def picture(width: float, height: float, parts: Iterable[object], label: str) -> Markup:
    """The whole plot; the label is what a screen reader says."""
    return element(
        "svg",
        element("title", label),
        join(parts),
        viewBox=f"0 0 {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="img",
        class_="plot",
    )


def box(x: float, y: float, width: float, height: float, css: str, **more: object) -> Markup:
    return element("rect", x=_n(x), y=_n(y), width=_n(width), height=_n(height), class_=css, **more)


def line(x1: float, y1: float, x2: float, y2: float, css: str) -> Markup:
    return element("line", x1=_n(x1), y1=_n(y1), x2=_n(x2), y2=_n(y2), class_=css)


def text(
    x: float, y: float, words: object, anchor: str = "middle", css: str | None = None
) -> Markup:
    shown = None if anchor == "start" else anchor
    return element("text", words, x=_n(x), y=_n(y), text_anchor=shown, class_=css)


def circle(x: float, y: float, radius: float, css: str, tip: str | None = None) -> Markup:
    inside = [element("title", tip)] if tip else []
    return element("circle", *inside, cx=_n(x), cy=_n(y), r=_n(radius), class_=css)


def path(commands: str, css: str) -> Markup:
    return element("path", d=commands, class_=css)


def rows_without_overlap(
    places: Sequence[tuple[float, str]], left: float, right: float
) -> list[tuple[float, int]]:
    """For centred labels, in order of x: where each stands and in which row, inside the picture."""
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


def _n(value: float) -> str:
    """A coordinate, to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")
