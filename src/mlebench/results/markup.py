"""HTML from data: every text is escaped, and no tag or attribute name comes from data."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

# Control and direction characters would let a log rewrite what a reader sees.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def escape(value: object) -> Markup:
    """Text as HTML; what is HTML already stays."""
    if isinstance(value, Markup):
        return value
    text = "—" if value is None else str(value)
    shown = UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return Markup(html.escape(shown))


def element(tag: str, *content: object, **attributes: object) -> Markup:
    """`element("td", text, class_="n")`; attributes are escaped as the content is."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{written}>{join(content)}</{tag}>")


def join(parts: Iterable[object]) -> Markup:
    return Markup("".join(escape(part) for part in parts))


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    numbers: Sequence[str] = (),
    sortable: bool = True,
) -> Markup:
    """A table that sorts; a cell may be a pair of what is shown and what is sorted by."""
    kinds = [' class="n"' if name in numbers else "" for name in head]
    titles = "".join(
        f'<th scope="col"{kind}>'
        f"{element('button', name, type='button') if sortable else escape(name)}</th>"
        for name, kind in zip(head, kinds, strict=True)
    )
    # Pieced together by hand: a page may have a hundred thousand cells.
    body = []
    for row in rows:
        cells = []
        for kind, cell in zip(kinds, row, strict=True):
            if isinstance(cell, tuple):
                shown, value = cell
                cells.append(f'<td{kind} data-value="{escape(value)}">{escape(shown)}</td>')
            else:
                cells.append(f"<td{kind}>{escape(cell)}</td>")
        body.append(f"<tr>{''.join(cells)}</tr>")
    css = ' class="sortable"' if sortable else ""
    return Markup(
        f"<table{css}><thead><tr>{titles}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )
