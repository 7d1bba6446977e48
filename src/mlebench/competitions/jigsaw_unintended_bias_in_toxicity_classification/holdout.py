"""The hold-out for training: a fifth of the comments, by the hash of the text."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.recipes.holdouts import MAX_SHARE, HoldOut, split_groups_of_hold_out
from mlebench.tables import read_table, write_table


def make_raw(public: Raw, target: Path) -> None:
    """The table of the train comments, and one of those that are held out."""
    comments = read_table(public / "train.csv")
    train, held_out = split_groups_of_hold_out(comments, "comment_text", test_size=MAX_SHARE)
    write_table(train, target / "train.csv")
    held_out = held_out.rename(columns={"target": "toxicity"})
    write_table(held_out, target / "test_private_expanded.csv")


hold_out = HoldOut(tables={}, make_raw=make_raw)
