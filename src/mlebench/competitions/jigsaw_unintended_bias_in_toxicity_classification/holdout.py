"""The hold-out for training: a fifth of the comments, by the hash of the text."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.recipes.holdouts import HoldOut, lowest
from mlebench.tables import read_table, write_table


def make_raw(public: Raw, target: Path) -> None:
    """The table of the train comments, and one of those that are held out."""
    comments = read_table(public / "train.csv")
    is_held_out = comments["comment_text"].isin(lowest(comments["comment_text"], 0.2))
    write_table(comments[~is_held_out], target / "train.csv")
    held_out = comments[is_held_out].rename(columns={"target": "toxicity"})
    write_table(held_out, target / "test_private_expanded.csv")


hold_out = HoldOut(tables={}, make_raw=make_raw)
