"""Pictures: what they say, that nothing overlaps, that they stay small and well formed."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from mlebench.catalogue import Catalogue
from mlebench.leaderboards.leaderboard import Leaderboard, from_scores
from mlebench.results.aggregate import summarize
from mlebench.results.boards import Boards
from mlebench.results.plots.hours import Activity, Flag, Span, hours_plot, hours_table
from mlebench.results.plots.ranks import rank_plot, rank_rows, rank_table
from mlebench.results.plots.rates import (
    CostPoint,
    cost_plot,
    cost_table,
    medal_rate_table,
    medal_rates,
    progress_plot,
)
from mlebench.results.plots.svg import LETTER, rows_without_overlap
from mlebench.results.plots.timeline import RunBar, timeline, timeline_table
from mlebench.results.published import published_rows
from tests.results.test_aggregate import attempt

HOSTILE = '</title><script>alert(1)</script>"\x1b\u202e'


@pytest.fixture(scope="module")
def board() -> Leaderboard:
    return from_scores([k / 1000 for k in range(1000)], is_lower_better=False)


def parsed(picture: Markup) -> ElementTree.Element:
    """Well formed, with a title, and without styles or scripts of its own."""
    root = ElementTree.fromstring(picture)
    assert root.attrib["role"] == "img"
    assert root[0].tag == "title"
    assert root[0].text
    for node in root.iter():
        assert "style" not in node.attrib
        assert node.tag in ("svg", "title", "g", "rect", "line", "text", "circle", "path")
    return root


def test_rank_plot_puts_rank_one_at_the_right_on_a_log_axis(board: Leaderboard) -> None:
    scores = [0.999, 0.99, 0.9, 0.0]
    found = {board.rank(score) for score in scores}
    assert found == {1, 10, 100, 1000}
    root = parsed(rank_plot(board, scores, mine=2))
    dots = {
        int(re.findall(r"rank ([\d,]+)", d[0].text or "")[0].replace(",", "")): d
        for d in root.iter("circle")
    }
    x = {rank: float(dot.attrib["cx"]) for rank, dot in dots.items()}
    assert x[1] > x[10] > x[100] > x[1000]
    assert x[1] - x[10] == pytest.approx(x[10] - x[100], abs=0.2)
    assert [rank for rank, dot in dots.items() if dot.attrib["class"] == "dot"] == [100]
    bands = [node.attrib["class"] for node in root.iter("rect")]
    assert bands == ["band-gold", "band-silver", "band-bronze"]
    # 1,000 teams: gold down to rank 12, silver to 50, bronze to 100.
    words = {
        kind: [t.text for t in root.iter("text") if kind in t.attrib.get("class", "")]
        for kind in ("cut", "letter")
    }
    assert set(words["cut"]) == {"0.988", "0.95", "0.9", "0.4995"}
    assert words["letter"] == ["median", "G", "S", "B"]


def test_labels_of_cuts_never_overlap() -> None:
    boards = Boards(Catalogue())
    for competition_id in Catalogue().get_split("all"):
        board = boards.board(competition_id)
        assert board is not None
        _check_labels(board)


def _check_labels(board: Leaderboard) -> None:
    root = parsed(rank_plot(board, [board.scores[0]]))
    labels = [
        (float(t.attrib["x"]), float(t.attrib["y"]), len(t.text or "") * LETTER)
        for t in root.iter("text")
    ]
    letters = [t.text for t in root.iter("text") if t.attrib.get("class") == "letter"]
    assert set(letters) >= {"G", "S", "B"}
    for number, (x, y, width) in enumerate(labels):
        assert x - width / 2 >= -0.1
        assert x + width / 2 <= 440.1
        for other_x, other_y, other_width in labels[:number]:
            assert y != other_y or abs(x - other_x) >= (width + other_width) / 2


def test_rows_without_overlap_keeps_labels_inside() -> None:
    wanted = [(0, "wide label"), (1, "wide label"), (2, "x"), (299, "right"), (120, "apart")]
    half = len("wide label") * LETTER / 2
    assert rows_without_overlap(wanted, 0, 300) == [
        (half, 0),
        (half, 1),
        (max(2, LETTER / 2), 2),
        (300 - len("right") * LETTER / 2, 0),
        (120, 0),
    ]


def test_many_dots_are_one_path(board: Leaderboard) -> None:
    scores = {"one": [k / 500 for k in range(500)], HOSTILE: [0.5]}
    root = parsed(rank_rows(board, scores))
    assert len(list(root.iter())) < 60
    head, rows = rank_table(board, {"one": [0.999]})
    assert head[:3] == ["who", "score", "rank"]
    assert rows[0] == ["one", 0.999, 1, "99.9%"]


@pytest.mark.parametrize("count", [0, 1, 40, 250, 10_000])
def test_timeline_stays_small(count: int) -> None:
    runs = [
        RunBar(
            f"competition {k % 75} {HOSTILE}",
            k // 75,
            k * 60.0,
            k * 60.0 + 3600 + k % 7,
            "failed" if k % 9 == 0 else "done",
        )
        for k in range(count)
    ]
    picture = timeline(runs)
    assert len(list(parsed(picture).iter())) < 1000
    assert len(picture) < 150_000
    assert len(timeline_table(runs)[1]) == count


def test_hours_plot_has_a_lane_for_everything() -> None:
    activity = Activity(
        7200,
        {"model calls": [Span(k * 2.0, 1, k % 7 == 0, k) for k in range(3000)]},
        {"CPUs": [(k, 2.0) for k in range(7200)], "memory": [(k, 3e9) for k in range(7200)]},
        [Flag(60, "changed"), Flag(61, "invalid", HOSTILE), Flag(600, "valid")],
    )
    root = parsed(hours_plot(activity))
    words = [text.text for text in root.iter("text")]
    assert {"submission", "model calls", "CPUs", "memory", "≤ 3 GB"} <= set(words)
    assert [n.attrib["class"] for n in root.iter("path") if "flag" in n.attrib["class"]] == [
        "flag changed",
        "flag invalid",
        "flag valid",
    ]
    assert len(list(root.iter())) < 2000
    assert hours_table(activity)[1][3] == ["50 m", "model calls", "3,000, 429 of them failed"]


def test_cost_progress_and_medal_rates() -> None:
    points = [CostPoint("a", 0.5, 10, 3), CostPoint("b", 50, 60, 3), CostPoint("free", 0, 5, 3)]
    dots = list(parsed(cost_plot(points)).iter("circle"))
    assert len(dots) == 2  # a log axis has no zero
    assert len(cost_table(points)[1]) == 3
    shares = {"any medal": [0.0, 10.0, 20.0]}
    assert len(list(parsed(progress_plot([1, 2, 4], shares)).iter("circle"))) == 3
    summary = summarize([attempt("a", 0, "gold"), attempt("a", 1)], {"low": ["a"]})
    rows = published_rows()
    tips = [node.text or "" for node in parsed(medal_rates(summary, rows)).iter("title")]
    for row in rows:
        assert any(f"{row.agent} ({row.models})" in tip for tip in tips)
    head, cells = medal_rate_table(summary, rows)
    assert dict(zip(head, cells[0], strict=True)) == {
        "split": "low",
        "who": "these runs",
        "competitions": 1,
        "seeds": 2,
        "any medal %": 50.0,
        "from": 0.0,
        "to": 100.0,
    }
    assert [row[1].partition(" (")[0] for row in cells[1:3]] == ["Disarray", "MLEvolve"]
    assert parsed(cost_plot([])) is not None
