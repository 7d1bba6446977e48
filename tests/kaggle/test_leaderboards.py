"""The full board: every page, as many rows as there must be, and never silently fewer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import DataError, UsageError
from mlebench.kaggle.leaderboards import download_leaderboard
from mlebench.system.retrying import RetryPolicy
from tests.kaggle_server import Contest, Cut, KaggleServer, Status

SCORES = [f"{1 - k / 1000:.5f}" for k in range(333)]


@pytest.fixture
def contest(kaggle_server: KaggleServer) -> Contest:
    return kaggle_server.add(Contest("spaceship-titanic", scores=list(SCORES)))


@pytest.fixture
def small(spaceship: LocatedCompetition, tmp_path: Path) -> LocatedCompetition:
    """A competition whose published board has 300 teams."""
    home = tmp_path / "declared"
    home.mkdir()
    (home / "leaderboard.json").write_text(json.dumps({"teams": 300}))
    return replace(spaceship, home=home)


def test_every_page_is_read(
    kaggle_server: KaggleServer, contest: Contest, small: LocatedCompetition
) -> None:
    board = download_leaderboard(small)
    assert (board.rows, board.rows_before) == (333, None)
    assert len(kaggle_server.seen("GetLeaderboard")) == 7
    lines = small.folder.leaderboard.read_bytes().split(b"\n")
    assert lines == [b"score", *(score.encode() for score in SCORES), b""]
    assert [file.name for file in small.folder.path.iterdir()] == ["leaderboard.csv"]


def test_the_full_board_takes_over(contest: Contest, small: LocatedCompetition) -> None:
    download_leaderboard(small)
    board = small.load_leaderboard()
    assert (board.teams, board.is_rebuilt) == (333, False)
    assert board.scores[0] == 1.0


def test_fewer_rows_than_published_are_refused(contest: Contest, small: LocatedCompetition) -> None:
    contest.scores = SCORES[:299]
    with pytest.raises(DataError, match=r"list 299 teams .* the published board has 300"):
        download_leaderboard(small)
    assert not small.folder.leaderboard.exists()
    assert download_leaderboard(small, force=True).rows == 299


def test_fewer_rows_than_before_are_refused(contest: Contest, small: LocatedCompetition) -> None:
    download_leaderboard(small)
    before = small.folder.leaderboard.read_bytes()
    contest.scores = SCORES[:332]
    with pytest.raises(DataError, match=r"list 332 teams .* board on disk has 333") as caught:
        download_leaderboard(small)
    assert "--force" in str(caught.value.hint)
    assert small.folder.leaderboard.read_bytes() == before
    board = download_leaderboard(small, force=True)
    assert (board.rows, board.rows_before) == (332, 333)


def test_fewer_rows_than_kaggle_counts_are_refused(
    contest: Contest, small: LocatedCompetition
) -> None:
    contest.team_count = 400
    with pytest.raises(DataError, match=r"list 333 teams .* counts at least 396"):
        download_leaderboard(small)
    contest.team_count = 335
    assert download_leaderboard(small).rows == 333


def test_pointer_file_is_named_and_replaced(
    contest: Contest, small: LocatedCompetition, caplog: pytest.LogCaptureFixture
) -> None:
    small.folder.path.mkdir(parents=True)
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    small.folder.leaderboard.write_text(pointer)
    with pytest.raises(DataError, match="Git-LFS pointer"):
        small.load_leaderboard()
    assert download_leaderboard(small).rows == 333
    assert "Git-LFS pointer" in caplog.text
    assert small.load_leaderboard().teams == 333


@pytest.mark.parametrize("score", ["", "nan", "inf", "n/a"])
def test_score_that_is_no_number(contest: Contest, small: LocatedCompetition, score: str) -> None:
    contest.scores[200] = score
    with pytest.raises(DataError, match="a score that is not a number"):
        download_leaderboard(small, force=True)
    assert not small.folder.leaderboard.exists()


def test_empty_board_is_never_written(contest: Contest, small: LocatedCompetition) -> None:
    contest.scores = []
    with pytest.raises(DataError, match="is empty"):
        download_leaderboard(small, force=True)


def test_busy_server_in_the_middle_of_the_pages(
    kaggle_server: KaggleServer, contest: Contest, small: LocatedCompetition, policy: RetryPolicy
) -> None:
    kaggle_server.fail("GetLeaderboard", Status(429, headers={"Retry-After": "0"}), Cut(1))
    assert download_leaderboard(small, policy=policy).rows == 333


def test_rows_that_shift_while_reading(
    contest: Contest, small: LocatedCompetition, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Contest.leaderboard_page

    def shifted(self: Contest, start: int, size: int) -> dict[str, object]:
        return real(self, max(0, start - 1), size)

    monkeypatch.setattr(Contest, "leaderboard_page", shifted)
    with pytest.raises(DataError, match="changed while it was read"):
        download_leaderboard(small)


def test_starter_boards_are_not_on_kaggle(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not on Kaggle"):
        download_leaderboard(Catalogue(tmp_path).get_competition("starter-wine"))
