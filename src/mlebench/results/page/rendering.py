"""HTML from templates: everything is escaped, and a name that is missing is an error.

Jinja2 is imported when the first page is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.results.redaction import visible

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class SortedCell:
    """A cell that sorts by a value other than its text."""

    text: str | None
    value: object


@dataclass(frozen=True)
class PageTable:
    """What the macro `table` shows; the cells of `numbers` are aligned to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    numbers: Sequence[str] = ()
    is_sortable: bool = True


def render(template: str, context: Mapping[str, object], folder: Path = TEMPLATES) -> str:
    """A template of a folder, filled in; it may import the parts of this package."""
    return environment(folder).get_template(template).render(context)


@cache
def environment(folder: Path = TEMPLATES) -> Environment:
    """Made nowhere else: templates cannot be rendered without escaping."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader([folder, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _shown(value: object) -> object:
    """A value before it is escaped: a dash for nothing, no hidden characters in a text."""
    if value is None:
        return "—"
    return visible(value) if type(value) is str else value
