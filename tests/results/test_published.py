"""The published table: a row comes out of three grading reports to its last digit."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from mlebench.catalogue import Catalogue
from mlebench.results.aggregate import SPLITS, summarize
from mlebench.results.attempts import load_attempts
from mlebench.results.published import my_row, published_rows
from mlebench.results.tables import leaderboard_rows
from tests.results.made_runs import make_report

PUBLISHED_FIELDS = 16


def write_reports(folder: Path, number: int, winners: Collection[str]) -> Path:
    """A grading report as the published tool writes it: all 75 competitions, sixteen fields."""
    entries = []
    for competition_id in Catalogue().get_split("all"):
        score = None
        if competition_id in winners:
            score = make_report(competition_id, None).bronze_threshold
        facts = make_report(competition_id, score).to_dict()
        entries.append(dict(list(facts.items())[:PUBLISHED_FIELDS]))
    path = folder / f"group{number}.json"
    path.write_text(json.dumps({"competition_reports": entries}))
    return path


def test_the_published_row_comes_out_to_the_last_digit(tmp_path: Path) -> None:
    """Medals worked by hand from the row 90.91 ± 0.00, 72.81 ± 0.88, 71.11 ± 2.22, 77.78 ± 0.44.

    low     20 20 20 of 22: 90.909 each
    medium  28 28 27 of 38: 73.684 73.684 71.053, mean 72.807, deviation 1.519, error 0.877
    high    11 10 11 of 15: 73.333 66.667 73.333, mean 71.111, deviation 3.849, error 2.222
    all     59 58 58 of 75: 78.667 77.333 77.333, mean 77.778, deviation 0.770, error 0.444
    """
    splits = {name: Catalogue().get_split(name) for name in SPLITS}
    counts = {"low": (20, 20, 20), "medium": (28, 28, 27), "high": (11, 10, 11)}
    reports = [
        write_reports(
            tmp_path,
            seed,
            {i for name, won in counts.items() for i in splits[name][: won[seed]]},
        )
        for seed in range(3)
    ]
    summary = summarize(load_attempts(reports), splits, seeds=3)
    (published,) = [row for row in published_rows() if row.agent == "Disarray"]
    mine = my_row("Disarray", published.models, summary, "24")
    figures = [leaderboard_rows([row])[1][0][3:7] for row in (mine, published)]
    assert figures[0] == figures[1]
    assert figures[0] == ["90.91 ± 0.00", "72.81 ± 0.88", "71.11 ± 2.22", "77.78 ± 0.44"]
