"""Downloads the full private leaderboard of a competition: every page, scores only."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import DataError, UsageError
from mlebench.kaggle.client import KaggleClient, log_in
from mlebench.system.files import write_atomically
from mlebench.system.retrying import RetryPolicy

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

PAGE_SIZE = 200
REMOVED_SHARE = 0.01
"""Kaggle's count of teams includes a few that were removed from the board later."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DownloadedBoard:
    """The result of a download."""

    path: Path
    rows: int
    rows_before: int | None
    """Rows of the board that was replaced; None if there was none."""


def download_leaderboard(
    competition: LocatedCompetition, force: bool = False, *, policy: RetryPolicy | None = None
) -> DownloadedBoard:
    """Replace the competition's leaderboard with the one on Kaggle.

    Args:
        force: even if the new one has fewer rows than expected.
    """
    if competition.definition.complexity == "starter":
        raise UsageError(f"{competition.id} is not on Kaggle; its leaderboard is our own")
    client = log_in(policy)
    scores = list(_scores(client, competition.id))
    before = _rows_before(competition.folder.leaderboard)
    if not force:
        _require_complete(client, competition, len(scores), before)
    if not scores:
        raise DataError(f"Kaggle's leaderboard of {competition.id} is empty")
    _write(scores, competition.folder.leaderboard)
    return DownloadedBoard(competition.folder.leaderboard, len(scores), before)


def _scores(client: KaggleClient, competition_id: str) -> Iterator[str]:
    """The score of every team, page after page, as Kaggle writes it."""
    teams: set[int] = set()
    tokens = {""}
    token = ""
    while True:
        page = client.leaderboard_page(competition_id, size=PAGE_SIZE, token=token)
        for row in page.rows:
            if row.team_id in teams:
                raise DataError(
                    f"the leaderboard of {competition_id} changed while it was read: team"
                    f" {row.team_id} occurs twice",
                    hint="run the same command again",
                )
            teams.add(row.team_id)
            yield _checked(row.score, competition_id)
        token = page.next_token
        if not token:
            return
        if token in tokens:
            raise DataError(f"the leaderboard of {competition_id} has too many pages")
        tokens.add(token)


def _checked(score: str | None, competition_id: str) -> str:
    """The score unchanged, if it is a number."""
    try:
        is_number = math.isfinite(float(score or ""))
    except ValueError:
        is_number = False
    if not is_number:
        raise DataError(
            f"the leaderboard of {competition_id} has a score that is not a number: {score!r}"
        )
    return str(score).strip()


def _require_complete(
    client: KaggleClient, competition: LocatedCompetition, rows: int, before: int | None
) -> None:
    """Reject fewer rows than are known to exist."""
    claimed = math.ceil(client.team_count(competition.id) * (1 - REMOVED_SHARE))
    for least, why in (
        (claimed, "Kaggle's record of the competition counts at least"),
        (before or 0, "the board on disk has"),
        (_teams_in_summary(competition), "the published board has"),
    ):
        if rows < least:
            raise DataError(
                f"Kaggle's pages list {rows:,} teams of {competition.id}, but {why} {least:,};"
                " nothing was replaced",
                hint="to accept the smaller one nevertheless, add --force",
            )


def _teams_in_summary(competition: LocatedCompetition) -> int:
    try:
        return int(json.loads((competition.home / "leaderboard.json").read_text("utf-8"))["teams"])
    except FileNotFoundError:
        return 0


def _rows_before(path: Path) -> int | None:
    """Rows of the board on disk; None for a Git-LFS pointer or a damaged file."""
    from mlebench.leaderboards.leaderboard import read_scores

    if not path.exists():
        return None
    try:
        return len(read_scores(path))
    except DataError as error:
        log.warning("%s; it is replaced", error)
        return None


def _write(scores: list[str], path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, "\n".join(["score", *scores, ""]))
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror}") from None
