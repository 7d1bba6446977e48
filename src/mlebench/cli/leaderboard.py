"""`mlebench leaderboard`: the human leaderboard of a competition."""

from __future__ import annotations

from pathlib import Path

import click

from mlebench.cli.options import (
    competition_argument,
    json_option,
    make_registry,
    registry_options,
)
from mlebench.cli.output import note, print_json, print_table
from mlebench.grading.medals import medal_ranks


@click.command()
@competition_argument
@click.option("--download", is_flag=True, help="Fetch the full board from Kaggle and keep it.")
@click.option("--force", is_flag=True, help="With --download: replace even by fewer rows.")
@click.option("--score", type=float, help="Where would this score stand?")
@registry_options
@json_option
def command(
    competition_id: str,
    download: bool,
    force: bool,
    score: float | None,
    data_dir: Path | None,
    competitions_dir: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Show the board: teams, medal cut-offs and deciles.

    \b
    Examples:
      mlebench leaderboard spaceship-titanic
      mlebench leaderboard spaceship-titanic --score 0.81
      mlebench leaderboard spaceship-titanic --download
    """
    competition = make_registry(data_dir, competitions_dir).get_competition(competition_id)
    if download:
        from mlebench.data.boards import download_leaderboard

        download_leaderboard(competition, force=force)
    board = competition.load_leaderboard()
    place = None
    if score is not None:
        place = {
            "score": score,
            "rank": board.rank(score),
            "human_rank": board.human_rank(score),
            "medal": board.thresholds.medal(score),
        }
    if as_json:
        print_json(
            {
                "schema": 1,
                "competition_id": competition.id,
                "is_lower_better": board.thresholds.is_lower_better,
                "is_rebuilt": board.is_rebuilt,
                "scores": list(board.scores),
                "place": place,
            }
        )
        return
    known = {rank: medal for medal, rank in medal_ranks(board.teams).items() if rank}
    deciles = {max(1, round(board.teams * k / 10)) for k in range(11)}
    rows = [
        [f"{rank:,}", board.scores[rank - 1], known.get(rank)]
        for rank in sorted(deciles | set(known))
    ]
    print_table(("rank", "score", "last to win"), rows, right="rank score")
    note(f"{board.teams:,} teams; median {board.thresholds.median}; {_origin(board.is_rebuilt)}")
    if place:
        note(
            f"{score} would be rank {place['rank']:,}, better than {place['human_rank']:.1%}"
            f" of the teams: {place['medal'] or 'no medal'}"
        )


def _origin(is_rebuilt: bool) -> str:
    return "rebuilt: exact at medals, median and half percents" if is_rebuilt else "full board"
