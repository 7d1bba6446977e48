"""Render templates: everything is escaped, and an undefined variable is an error.

Jinja2 is imported when the first page is rendered.
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
    """A cell that is sorted by a value other than its text."""

    text: str | None
    value: object


@dataclass(frozen=True)
class PageTable:
    """A table for the macro `table`; the columns `numbers` are aligned to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    numbers: Sequence[str] = ()
    is_sortable: bool = True


def render(template: str, context: Mapping[str, object], folder: Path = TEMPLATES) -> str:
    """Render a template of a folder; it may import the templates of this package."""
    return environment(folder).get_template(template).render(context)


@cache
def environment(folder: Path = TEMPLATES) -> Environment:
    """The only Jinja2 environment, so that no template is rendered without escaping."""
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
    """A value before it is escaped: a dash for None, no hidden characters in a text."""
    if value is None:
        return "—"
    return visible(value) if type(value) is str else value
