"""`mlebench leaderboard`: the human leaderboard of a competition, or the agents' results table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import PATH, complete_ids, data_options, json_option
from mlebench.cli.output import note, print_json, print_table
from mlebench.leaderboards.medals import medal_ranks
from mlebench.version import REVISION

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue
    from mlebench.leaderboards.leaderboard import Leaderboard

WITHOUT_ID = "is for the table of agents, which is shown without an ID"


@bench_command()
@click.argument("competition_id", metavar="[ID]", required=False, shell_complete=complete_ids)
@click.option(
    "--mine",
    type=PATH,
    multiple=True,
    help="Without ID: add these runs or reports to the published table of agents.",
)
@click.option("--name", default="mine", help="With --mine: the agent's name.")
@click.option("--model", default="", show_default=False, help="With --mine: the models it used.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["markdown", "csv", "json", "latex"]),
    help="With the table of agents: its format.",
)
@click.option(
    "--download", is_flag=True, help="Download the full leaderboard from Kaggle and store it."
)
@click.option("--force", is_flag=True, help="With --download: accept fewer rows.")
@click.option("--score", type=float, help="Show the rank of this score.")
@data_options
@json_option
def command(
    competition_id: str | None,
    mine: tuple[Path, ...],
    name: str,
    model: str,
    kind: str | None,
    download: bool,
    force: bool,
    score: float | None,
    catalogue: Catalogue,
    as_json: bool,
) -> None:
    """Show a leaderboard: teams, medal thresholds and deciles; without ID the results of agents.

    \b
    Examples:
      mlebench leaderboard spaceship-titanic --score 0.81
      mlebench leaderboard spaceship-titanic --download
      mlebench leaderboard --mine runs/my-group --name my-agent --format markdown
    """
    if competition_id is None:
        _refuse({"--score": score is not None, "--download": download}, "needs a competition's ID")
        agents_table(catalogue, mine, (name, model), kind, as_json)
        return
    _refuse({"--mine": bool(mine), "--model": bool(model), "--format": bool(kind)}, WITHOUT_ID)
    _refuse({"--force": force and not download}, "needs --download")
    competition = catalogue.get_competition(competition_id)
    if download:
        from mlebench.kaggle.leaderboards import download_leaderboard

        download_leaderboard(competition, force=force)
    show_board(competition.id, competition.load_leaderboard(), score, as_json=as_json)


def _refuse(options: dict[str, bool], why: str) -> None:
    """Reject an option that would have no effect here."""
    for option, is_given in options.items():
        if is_given:
            raise click.UsageError(f"{option} {why}")


def show_board(
    competition_id: str, board: Leaderboard, score: float | None, *, as_json: bool
) -> None:
    """Print a human leaderboard, and the rank of a score on it."""
    place = None
    if score is not None:
        place = {
            "score": score,
            "rank": board.rank(score),
            "teams_beaten": board.teams_beaten(score),
            "human_rank": board.human_rank(score),
            "medal": board.thresholds.medal(score),
        }
    if as_json:
        print_json(
            {
                "competition_id": competition_id,
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
        # Ten digits: further digits of interpolated scores are meaningless.
        [f"{rank:,}", f"{board.scores[rank - 1]:.10g}", known.get(rank)]
        for rank in sorted(deciles | set(known))
    ]
    print_table(("rank", "score", "last to win"), rows, right="rank score")
    rebuilt = "rebuilt from a summary: exact at medals, median and half percents"
    origin = rebuilt if board.is_rebuilt else "full board"
    note(f"{board.teams:,} teams; median {board.thresholds.median}; {origin}")
    if place:
        note(
            f"{score} would be rank {place['rank']:,}, better than {place['teams_beaten']:.1%}"
            f" of the teams: {place['medal'] or 'no medal'}"
        )


def agents_table(
    catalogue: Catalogue,
    mine: tuple[Path, ...],
    who: tuple[str, str],
    kind: str | None,
    as_json: bool,
) -> None:
    """The published results of agents, with the user's row among them."""
    from mlebench.errors import UsageError
    from mlebench.results.aggregate import SPLITS, summarize
    from mlebench.results.attempts import load_attempts, require_comparable
    from mlebench.results.notes import WITHOUT_LEARNING
    from mlebench.results.published import SOURCE, my_row, published_rows, ranked
    from mlebench.results.tables import format_table, leaderboard_rows

    rows = published_rows()
    if mine:
        attempts = load_attempts(mine)
        require_comparable(attempts)
        # Results on synthetic data or public answers cannot be compared.
        if any(attempt.data not in (None, "real") for attempt in attempts):
            raise UsageError("results on rehearsal or starter data do not belong in the table")
        if any(a.conditions.revision not in (None, REVISION) for a in attempts):
            raise UsageError(f"the table has results of revision {REVISION} only")
        splits = {split: catalogue.get_split(split) for split in SPLITS}
        summary = summarize(attempts, splits, pad_missing=True)
        hours = {f"{a.conditions.hours:g}" for a in attempts if a.conditions.hours}
        rows.append(my_row(*who, summary, "/".join(sorted(hours))))
    head, cells = leaderboard_rows(ranked(rows))
    counts = ", ".join(f"{split} {len(catalogue.get_split(split))}" for split in SPLITS)
    of = (
        f"the scored competitions of each split ({counts}) × the agent's seeds, revision {REVISION}"
    )
    if as_json or kind == "json":
        agents = [dict(zip(head, row, strict=True)) for row in cells]
        print_json({"source": SOURCE, "revision": REVISION, "denominator": of, "agents": agents})
        return
    if kind:
        click.echo(format_table(head, cells, kind), nl=False)
        return
    print_table(head, cells)
    note(f"any medal, percent of {of}")
    note(WITHOUT_LEARNING)
    note(f"source: {SOURCE}")
