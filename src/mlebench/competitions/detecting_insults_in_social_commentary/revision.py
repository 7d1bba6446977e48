"""Revision v1.1: the test labels are public; nothing is changed."""

from mlebench.revision import Changes, Noisy

changes = Changes(
    flags=(
        "external copy: the test labels were released by Kaggle",
        "easier than the board, which was made with another test set",
        "the scores of the board are far below those of today's models",
    ),
    noisy=Noisy(50, "teams of the board", "folds of the test would not add teams"),
)
