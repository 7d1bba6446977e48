"""Official descriptions: the pages about the task, in a useful order, as Markdown."""

from __future__ import annotations

import pytest

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import DataError, UsageError
from mlebench.kaggle.pages import fetch_official_description
from tests.kaggle_server import Contest, KaggleServer

PAGES = {
    "rules": "<p>One account per participant.</p>",
    "data-description": "<h3>Files</h3><ul><li><b>train.csv</b></li><li>test.csv</li></ul>",
    "Evaluation": "<p>Score is $$\\frac{1}{n} \\sum_i a_i * b_i$$.</p><script>alert(1)</script>"
    "<pre><code>id,x\n1,2\n</code></pre>",
    "Description": "Predict *x* from `y_1`.\n\nGood luck.",
    "Citation": "<p>Somebody, 2022.</p>",
}


def test_pages_in_order_as_markdown(
    kaggle_server: KaggleServer, spaceship: LocatedCompetition
) -> None:
    kaggle_server.add(Contest(spaceship.id, pages=PAGES))
    assert fetch_official_description(spaceship) == (
        "# Spaceship Titanic\n\n"
        "## Description\n\nPredict *x* from `y_1`.\n\nGood luck.\n\n"
        "## Evaluation\n\nScore is $$\\frac{1}{n} \\sum_i a_i * b_i$$.\n\n"
        "```\nid,x\n1,2\n```\n\n"
        "## Data description\n\n### Files\n\n- **train.csv**\n- test.csv\n\n"
        "## Citation\n\nSomebody, 2022.\n"
    )


def test_no_pages(kaggle_server: KaggleServer, spaceship: LocatedCompetition) -> None:
    kaggle_server.add(Contest(spaceship.id, pages={"rules": "<p>None.</p>"}))
    with pytest.raises(DataError, match="no description pages for spaceship-titanic"):
        fetch_official_description(spaceship)


def test_wrong_key(
    kaggle_server: KaggleServer, spaceship: LocatedCompetition, monkeypatch: pytest.MonkeyPatch
) -> None:
    kaggle_server.add(Contest(spaceship.id, pages=PAGES))
    monkeypatch.setenv("KAGGLE_KEY", "wrong-key")
    with pytest.raises(UsageError, match="rejects the credentials"):
        fetch_official_description(spaceship)
