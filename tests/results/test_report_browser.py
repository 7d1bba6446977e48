"""The one-file report in a real browser, from the disk and without a network."""

from __future__ import annotations

from typing import Any

import pytest

from mlebench.results.page import write_page
from tests.browser import Watched, fits
from tests.results.made_runs import HOSTILE, make_group
from tests.results.test_page import IDS, results_of

pytestmark = pytest.mark.browser
OUTCOMES = ["gold", "silver", "bronze", "above", "below", "invalid", "failed", "running"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on an honest and a hostile agent."""
    runs = tmp_path_factory.mktemp("report")
    make_group(runs, "aide", IDS, seeds=3, outcomes=OUTCOMES)
    make_group(runs, HOSTILE[0], IDS, seeds=2, number=1, hostile=True, outcomes=OUTCOMES[::-1])
    page = runs / "report.html"
    write_page(results_of(runs), page)
    return page.as_uri()


def test_it_opens_sorts_and_asks_for_nothing(report: str, watched: Watched) -> None:
    page = watched.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report)
    assert page.inner_text("h1") != "" and "not graded" in page.inner_text("header")
    assert asked == [report]
    table = page.locator("table").last
    heads = [text.strip() for text in table.locator("thead th").all_inner_texts()]
    assert "score" in heads
    place = heads.index("score") + 1
    table.locator(f"thead th:nth-child({place}) button").click()
    cells = table.locator(f"tbody td:nth-child({place})").all_inner_texts()
    first = [float(text) for text in cells if text.strip() not in ("", "—")]
    assert first == sorted(first) and len(first) > 5
    table.locator(f"thead th:nth-child({place}) button").click()
    cells = table.locator(f"tbody td:nth-child({place})").all_inner_texts()
    second = [float(text) for text in cells if text.strip() not in ("", "—")]
    assert second == first[::-1]


def test_hostile_text_makes_no_element(report: str, watched: Watched) -> None:
    page = watched.page
    page.goto(report)
    assert HOSTILE[0] in page.inner_text("body")
    assert page.locator("img, iframe, object, embed, base").count() == 0
    assert page.locator("script").count() <= 2
    assert page.locator("[onerror], [onload], [onmouseover]").count() == 0
    assert not page.evaluate(
        "[...document.links].some((a) => !a.getAttribute('href').startsWith('#'))"
    )


def test_dark_narrow_and_printed(report: str, watched: Watched) -> None:
    page = watched.page
    colour = "getComputedStyle(document.body).backgroundColor"
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 700, "height": 900})
    page.goto(report)
    assert page.evaluate(colour) == "rgb(15, 19, 24)"
    assert fits(page)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(colour) in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    assert page.pdf(format="A4")[:5] == b"%PDF-"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(report: str, watched: Watched, theme: Any) -> None:
    watched.page.emulate_media(color_scheme=theme)
    watched.page.goto(report)
    found = watched.axe(*(["color-contrast"] if theme == "dark" else []))
    assert not found, "\n".join(found)
