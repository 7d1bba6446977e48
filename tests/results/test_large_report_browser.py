"""A report on hundreds of runs: its table comes out of the page itself, filtered and sorted."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlebench.results.page import write_page
from tests.browser import Watched
from tests.results.made_runs import make_many
from tests.results.test_page import results_of

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_hundreds_of_runs_are_filtered_sorted_and_turned_over(
    tmp_path: Path, watched: Watched
) -> None:
    make_many(tmp_path / "runs", 1200, agents=("aide",))
    write_page(results_of(tmp_path / "runs", pad_missing=True), tmp_path / "r.html")
    page = watched.page
    page.goto((tmp_path / "r.html").as_uri())
    place = page.locator("#runs-table")
    place.get_by_text("1–100 of 1,200 runs").wait_for()
    assert place.locator("tbody tr").count() == 100
    place.get_by_role("button", name="next ›").click()
    place.get_by_text("101–200 of 1,200 runs").wait_for()

    place.get_by_label("Filter").fill("gold leaf-class")
    names = place.locator("tbody tr td:nth-child(1)").all_inner_texts()
    assert set(names) == {"leaf-classification"}
    # The cuts of this board are so close that every made-up gold is uncertain.
    outcomes = place.locator("tbody tr td:nth-child(4)").all_inner_texts()
    assert set(outcomes) == {"G gold, uncertain"}
    place.get_by_label("Filter").fill("nothing like this")
    place.get_by_text("no run matches “nothing like this”").wait_for()

    place.get_by_label("Filter").fill("")
    heads = place.locator("thead th").all_inner_texts()
    score = heads.index("score") + 1
    place.get_by_role("button", name="score").click()
    shown = [float(x) for x in place.locator(f"tbody td:nth-child({score})").all_inner_texts()]
    assert shown == sorted(shown)
    assert len(shown) == 100
    # Hovering over a cell of the matrix tells what the data says of it.
    title = page.locator(".matrix tbody b").first.get_attribute("title")
    assert title is not None
    assert title.startswith("aide, seed 0: ")
