"""Checks that metric and leaderboard have one direction, and that the board is consistent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from mlebench.checking.examined import Examined
from mlebench.checking.variations import shuffled
from mlebench.doctor.check import Check
from mlebench.errors import DataError
from mlebench.leaderboards.leaderboard import read_summary, rebuild
from mlebench.leaderboards.medals import medal_ranks


def check_direction(examined: Examined) -> Iterator[Check]:
    """The metric, the board and the scores of real submissions have one direction."""
    metric = examined.competition.definition.metric
    better, fail = _better(metric.is_lower_better), partial(Check, "direction", "fail")
    try:
        facts = read_summary(examined.competition.home / "leaderboard.json")
    except DataError:
        facts = {}  # reported by check_board
    if facts and facts["lower_is_better"] is not metric.is_lower_better:
        yield fail(
            f"the metric {metric.name} says that {better} is better, leaderboard.json says the"
            f" opposite (lower_is_better: {str(facts['lower_is_better']).lower()})",
            "make both agree: @lower_is_better or @higher_is_better of the metric, or the board",
        )
    gold, mixed = examined.gold_verdict.score, examined.verdict_on(shuffled(examined)).score
    if examined.is_better(mixed, gold):
        yield fail(
            f"the metric {metric.name} says that {better} is better, but the gold submission"
            f" scores {gold:g} and the same predictions in a random order {mixed:g}",
            "reverse the direction of the metric",
        )
    yield Check("direction", "ok", f"{better} is better by {metric.name}")


def check_board(examined: Examined) -> Iterator[Check]:
    """The scores of leaderboard.json are sorted, and the cut-offs are those of the medal ranks."""
    fail = partial(Check, "board", "fail")
    try:
        facts = read_summary(examined.competition.home / "leaderboard.json")
    except DataError as error:
        yield fail(str(error), "docs/adding-a-competition.md lists the fields")
        return
    board, lower = rebuild(facts), bool(facts["lower_is_better"])
    for rank, (one, next_one) in enumerate(pairwise(board.scores), start=1):
        if (next_one < one) if lower else (next_one > one):
            yield fail(
                f"rank {rank} has {one:g} and rank {rank + 1} has {next_one:g}, although"
                f" {_better(lower)} is better",
                "put best, gold, silver, bronze, median, worst and quantiles in this order",
            )
            break
    for medal, rank in medal_ranks(board.teams).items():
        found = board.scores[max(rank, 1) - 1]
        if found != facts[medal]:
            yield fail(
                f"{medal} is {facts[medal]:g}, but with {board.teams:,} teams the last rank that"
                f" wins it is {max(rank, 1)}, which has {found:g}",
                f"set {medal} to the score of that rank",
            )
    yield Check(
        "board", "ok", f"{board.teams:,} teams from {facts['best']:g} to {facts['worst']:g}"
    )


def _better(is_lower_better: bool) -> str:
    return "lower" if is_lower_better else "higher"
