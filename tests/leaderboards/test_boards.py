"""Flags of the boards: ties, public boards, removed rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import DataError
from mlebench.leaderboards.leaderboard import from_scores, read_summary

ONE_SCORE = {
    "AI4Code": 0.09,
    "alaska2-image-steganalysis": 0.19,
    "billion-word-imputation": 0.36,
    "chaii-hindi-and-tamil-question-answering": 0.27,
    "hubmap-kidney-segmentation": 0.57,
    "nfl-player-contact-detection": 0.24,
    "rsna-2022-cervical-spine-fracture-detection": 0.27,
}
AT_BRONZE = {
    "herbarium-2020-fgvc7": 0.12,
    "imet-2020-fgvc7": 0.24,
    "text-normalization-challenge-english-language": 0.18,
}
"""Shares that revision v1.1 was specified with, from the complete boards."""


@pytest.mark.parametrize("competition_id", [*ONE_SCORE, *AT_BRONZE])
def test_ties_of_the_boards(competition_id: str) -> None:
    board = Catalogue().get_competition(competition_id).load_leaderboard()
    share = board.share_with_one_score
    if competition_id in AT_BRONZE:
        share = board.share_at_bronze
    # The quantiles of a summary are half a percent apart, and the shares are rounded.
    expected = (ONE_SCORE | AT_BRONZE)[competition_id]
    assert share == pytest.approx(expected, abs=0.01)


def test_ties_of_a_full_board() -> None:
    board = from_scores([0.9, 0.8, 0.8, 0.8, *[0.1] * 6], is_lower_better=False)
    # Of ten teams the first four win a medal.
    assert (board.share_at_bronze, board.share_with_one_score) == (0.3, 0.6)
    assert (board.kind, board.rows_removed) == ("private", 0)


def test_boards_that_are_not_as_kaggle_made_them() -> None:
    found = {}
    for competition_id in Catalogue().get_split("all"):
        board = Catalogue().get_competition(competition_id).load_leaderboard()
        if (board.kind, board.rows_removed) != ("private", 0):
            found[competition_id] = board.kind, board.rows_removed
    assert found == {
        "multi-modal-gesture-recognition": ("private", 35),
        "vesuvius-challenge-ink-detection": ("public", 0),
    }


@pytest.mark.parametrize(("name", "value"), [("kind", "secret"), ("rows_removed", -1)])
def test_wrong_optional_facts_are_named(name: str, value: object, tmp_path: Path) -> None:
    facts = dict.fromkeys(("gold", "silver", "bronze", "median", "best", "worst"), 0.5)
    facts |= {"teams": 3, "lower_is_better": False, "quantiles": []}
    file = tmp_path / "leaderboard.json"
    file.write_text(json.dumps(facts))
    assert read_summary(file) == facts
    file.write_text(json.dumps(facts | {name: value}))
    with pytest.raises(DataError, match=f"'{name}' of the leaderboard"):
        read_summary(file)
