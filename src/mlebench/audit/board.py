"""Check of the board: is it consistent, of the metric's direction, and attainable?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.record import Observation
from mlebench.audit.variations import mixed
from mlebench.errors import DataError
from mlebench.leaderboards.leaderboard import Leaderboard, read_summary, rebuild
from mlebench.leaderboards.medals import medal_ranks

FEW_TEAMS = 20


def check_board(audited: Audited) -> Iterator[Observation]:
    """Order of scores, cut-offs, direction; the best human score and bronze are in reach."""
    yield from (Observation("fail", text) for text in _contradictions(audited))
    board, gold = audited.board, audited.gold_verdict.score
    if board is None:
        return
    yield from _flags(audited, board)
    if audited.is_better(board.scores[0], gold):
        text = "the best human score is better than the gold submission"
        yield Observation("fail", text, gold, board.scores[0])
    sample, cuts = audited.sample_verdict.score, board.thresholds
    if not audited.has_own_board:
        sample = audited.competition.definition.official_sample_score
    if sample is not None and cuts.medal(sample):
        yield Observation("fail", "the sample submission wins a medal", sample, cuts.bronze)
    yield Observation("pass", f"{board.teams:,} teams", board.teams)


def _contradictions(audited: Audited) -> Iterator[str]:
    try:
        facts = read_summary(audited.competition.home / "leaderboard.json")
    except DataError as error:
        yield f"{error}; docs/adding-a-competition.md lists the fields"
        return
    board, lower = rebuild(facts), bool(facts["lower_is_better"])
    yield from _wrong_direction(audited, lower)
    for rank, (one, next_one) in enumerate(pairwise(board.scores), start=1):
        if (next_one < one) if lower else (next_one > one):
            yield (
                f"rank {rank} has {one:g} and rank {rank + 1} has {next_one:g}, although"
                f" {_better(lower)} is better: put best, gold, silver, bronze, median, worst and"
                " quantiles in this order"
            )
            break
    for medal, rank in medal_ranks(board.teams).items():
        found = board.scores[max(rank, 1) - 1]
        if found != facts[medal]:
            yield (
                f"{medal} is {facts[medal]:g}, but with {board.teams:,} teams the last rank that"
                f" wins it is {max(rank, 1)}, which has {found:g}"
            )


def _wrong_direction(audited: Audited, lower: bool) -> Iterator[str]:
    """The metric and the board, or the metric and the scores of submissions, disagree."""
    metric = audited.competition.definition.metric
    said = f"the metric {metric.name} says that {_better(metric.is_lower_better)} is better"
    if lower is not metric.is_lower_better:
        yield f"{said}, leaderboard.json says the opposite (lower_is_better: {str(lower).lower()})"
    shuffled = mixed(audited.good, audited.targets, np.random.default_rng(0))
    gold, other = audited.gold_verdict.score, audited.verdict_on(shuffled).score
    if audited.is_better(other, gold):
        yield (
            f"{said}, but the gold submission scores {gold:g} and the same predictions in a random"
            f" order {other:g}"
        )


def _better(is_lower_better: bool) -> str:
    return "lower" if is_lower_better else "higher"


def _flags(audited: Audited, board: Leaderboard) -> Iterator[Observation]:
    cuts = board.thresholds
    if len({cuts.gold, cuts.silver, cuts.bronze}) < 3 and board.teams >= FEW_TEAMS:
        yield Observation("warn", "two medals have one cut-off", cuts.bronze, cuts.gold)
    if cuts.bronze == cuts.median:
        yield Observation("warn", "bronze is the median", cuts.bronze, cuts.median)
    # The scores on the board of a user's own competition need not be those of teams.
    if board.teams < FEW_TEAMS and audited.competition.load_checksums():
        yield Observation("warn", "the board has few teams", board.teams, FEW_TEAMS)
