"""Revision v1.1: the right sum of prizes, and what to know about the board."""

from dataclasses import replace

from mlebench.competitions.vesuvius_challenge_ink_detection.competition import rows
from mlebench.revision import PAIRED_RUNS, Changes, Fix, Noisy

changes = Changes(
    fixes=(
        PAIRED_RUNS,
        Fix(
            "the prize money is mistyped: 1,000 instead of 10,000 for the fourth prize",
            "the correct amount",
        ),
    ),
    submission=replace(rows, is_paired=True),
    prize_usd=100_000,
    flags=(
        "the board is Kaggle's public one, of 1,250 teams; medals of the private one need its"
        " download as leaderboard.csv in the folder of the competition",
    ),
    noisy=Noisy(
        1,
        "test fragment",
        "there are three labelled fragments, too few for five folds",
    ),
)
