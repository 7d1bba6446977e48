"""A competition's official description, combined from its pages on Kaggle."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mlebench.errors import DataError
from mlebench.kaggle.client import CompetitionPage, log_in

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

FIRST = ("description", "overview", "abstract", "evaluation", "data description")
LEFT_OUT = ("rules", "prizes", "timeline", "terms", "host", "winner", "sponsor", "discussion")
"""Pages that are not about the task."""

HTML = re.compile(r"</?(p|div|h[1-6]|ul|ol|table|br|span|strong|a|pre)\b", re.IGNORECASE)


def fetch_official_description(competition: LocatedCompetition) -> str:
    """The pages about task, metric and data, as Markdown."""
    parts = [f"# {competition.definition.title}"]
    for name, page in _in_order(log_in().pages(competition.id)):
        text = _markdown(page.content)
        if text:
            parts += [f"## {name.capitalize()}", text]
    if len(parts) == 1:
        raise DataError(f"Kaggle has no description pages for {competition.id}")
    return "\n\n".join(parts) + "\n"


def _in_order(pages: Iterable[CompetitionPage]) -> list[tuple[str, CompetitionPage]]:
    """Task, metric and data first, then the rest as Kaggle lists them."""
    named = [(page.name.replace("-", " ").strip().lower(), page) for page in pages]
    kept = [(name, page) for name, page in named if not any(word in name for word in LEFT_OUT)]
    return sorted(kept, key=lambda pair: FIRST.index(pair[0]) if pair[0] in FIRST else len(FIRST))


def _markdown(page: str) -> str:
    """The text of a page as Markdown; unchanged if it is Markdown already."""
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    if not HTML.search(page):
        return page.strip()
    soup = BeautifulSoup(page, "html.parser")
    for hidden in soup(["script", "style", "iframe", "svg", "img"]):
        hidden.decompose()
    converter = MarkdownConverter(
        heading_style="ATX",
        bullets="-",
        # The text contains formulas, which escaping would break.
        escape_asterisks=False,
        escape_underscores=False,
        escape_misc=False,
    )
    text: str = converter.convert_soup(soup)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
