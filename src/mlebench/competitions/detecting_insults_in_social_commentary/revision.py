"""Revision v1.1: the test labels are public; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        "external copy: the test labels were released by Kaggle",
        "easier than the board, which was made with another test set",
        "noisy: the board has 50 teams, whose scores are far below those of today's models",
    ),
)
