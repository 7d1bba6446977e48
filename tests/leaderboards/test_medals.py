"""Medals and boards: exact thresholds for all competitions, ties, directions, team bands."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from mlebench.catalogue import PACKAGE, Catalogue, folder_name
from mlebench.errors import DataError
from mlebench.leaderboards.leaderboard import (
    from_scores,
    load_leaderboard,
    read_scores,
    rebuild,
    thresholds_of,
)
from mlebench.leaderboards.medals import Thresholds, medal_ranks

IDS = Catalogue().list_competition_ids()


def summary_of(competition_id: str) -> Path:
    return PACKAGE / "competitions" / folder_name(competition_id) / "leaderboard.json"


@pytest.mark.parametrize(
    ("teams", "gold", "silver", "bronze"),
    [
        (5, 1, 1, 2),
        (50, 5, 10, 20),
        (99, 9, 19, 39),
        (100, 10, 20, 40),
        (249, 10, 49, 99),
        (250, 10, 50, 100),
        (500, 11, 50, 100),
        (999, 11, 50, 100),
        (1000, 12, 50, 100),
        (4539, 19, 226, 453),
    ],
)
def test_ranks_that_win(teams: int, gold: int, silver: int, bronze: int) -> None:
    assert medal_ranks(teams) == {"gold": gold, "silver": silver, "bronze": bronze}


@pytest.mark.parametrize("competition_id", IDS)
def test_rebuilt_boards_are_exact_where_they_claim_to_be(competition_id: str) -> None:
    summary = summary_of(competition_id)
    facts = json.loads(summary.read_text())
    lower = facts["lower_is_better"]
    board = load_leaderboard(summary, Path("no such file"), is_lower_better=lower)
    assert board.teams == facts["teams"]
    assert list(board.scores) == sorted(board.scores, reverse=not lower)
    recomputed = thresholds_of(board.scores, lower)
    assert recomputed == board.thresholds
    assert (board.scores[0], board.scores[-1]) == (facts["best"], facts["worst"])
    for i, score in enumerate(facts["quantiles"]):
        assert board.scores[max(1, math.ceil(i / 200 * board.teams)) - 1] == score


@pytest.mark.parametrize("competition_id", IDS)
def test_a_threshold_wins_its_medal_and_one_unit_worse_does_not(competition_id: str) -> None:
    facts = json.loads(summary_of(competition_id).read_text())
    cuts = Thresholds(
        *(facts[name] for name in ("gold", "silver", "bronze", "median", "lower_is_better"))
    )
    worse = math.inf if cuts.is_lower_better else -math.inf
    order = ["gold", "silver", "bronze", None]
    for place, (medal, score) in enumerate(
        [("gold", cuts.gold), ("silver", cuts.silver), ("bronze", cuts.bronze)]
    ):
        assert order.index(cuts.medal(score)) <= place
        below = cuts.medal(math.nextafter(score, worse))
        assert order.index(below) > place, (medal, below)
    assert not cuts.is_above_median(cuts.median)
    assert cuts.is_above_median(math.nextafter(cuts.median, -worse))


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("teams", [40, 150, 600, 1500])
def test_ties_share_a_medal_in_every_band(teams: int, lower: bool) -> None:
    step = 1 if lower else -1
    scores = [step * (k // 3) for k in range(teams)]
    board = from_scores(reversed(scores), is_lower_better=lower)
    gold_rank = medal_ranks(teams)["gold"]
    assert board.thresholds.gold == scores[gold_rank - 1]
    winners = sum(board.thresholds.medal(score) == "gold" for score in scores)
    assert winners >= gold_rank
    assert winners % 3 == 0
    assert board.rank(scores[3]) == 4
    # Three teams are better, three have the same score.
    assert board.teams_beaten(scores[3]) == pytest.approx(1 - 6 / teams)
    assert board.human_rank(scores[3]) == pytest.approx(1 - 3 / teams)
    for share in (board.teams_beaten, board.human_rank):
        assert share(scores[0] - step) == 1.0
        assert share(scores[-1] + step) == 0.0
    # A score worse than all teams takes no place behind the last one.
    assert board.rank(scores[-1] + step) == teams


@pytest.mark.parametrize("score", [math.nan, None])
def test_c08_no_score_wins_nothing(score: float | None) -> None:
    for lower in (True, False):
        cuts = Thresholds(1, 1, 1, 1, lower)
        assert cuts.medal(score) is None
        assert not cuts.is_above_median(score)


def test_a_full_board_replaces_the_summary_and_a_pointer_file_is_named(tmp_path: Path) -> None:
    full = tmp_path / "leaderboard.csv"
    full.write_text("score\n0.9\n0.8\n0.7\n")
    board = load_leaderboard(tmp_path / "none.json", full, is_lower_better=False)
    assert board.scores == (0.9, 0.8, 0.7)
    assert not board.is_rebuilt
    full.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    with pytest.raises(DataError, match="Git-LFS pointer"):
        read_scores(full)


@pytest.mark.parametrize("data", [b"score\n0.9\nbest\n", b"score\n\xff\xfe\n", b'score\n"0.9\n'])
def test_a_full_board_without_numbers_is_the_fault_of_the_data(data: bytes, tmp_path: Path) -> None:
    full = tmp_path / "leaderboard.csv"
    full.write_bytes(data)
    with pytest.raises(DataError, match="is not a table of scores"):
        read_scores(full)


@pytest.mark.parametrize("teams", [1, 2, 3, 4, 5, 6, 10, 11, 100, 1000])
@pytest.mark.parametrize("lower", [True, False])
def test_a_board_of_ones_own_needs_no_quantiles(teams: int, lower: bool) -> None:
    scores = [0.1 + 0.8 * k / max(teams - 1, 1) for k in range(teams)]
    full = from_scores(scores, is_lower_better=lower)
    cuts = full.thresholds
    facts = {
        "teams": teams,
        "lower_is_better": lower,
        "best": full.scores[0],
        "worst": full.scores[-1],
        "quantiles": [],
        **{name: getattr(cuts, name) for name in ("gold", "silver", "bronze", "median")},
    }
    board = rebuild(facts)
    assert board.thresholds == cuts
    assert list(board.scores) == sorted(board.scores, reverse=not lower)
    assert thresholds_of(board.scores, lower) == cuts
