"""Revision v1.1: the test labels are public; only the order of the test comments is changed."""

import csv
from pathlib import Path
from types import SimpleNamespace

from mlebench.archives.raw import Raw
from mlebench.archives.writing import open_output
from mlebench.competitions.detecting_insults_in_social_commentary.competition import write_labelled
from mlebench.revision import Changes, Noisy


def prepare(raw: Raw, public: Path, private: Path) -> None:
    """Sorts the comments before both tables are written, which is cheaper than to do so later."""
    gold = write_labelled(raw, public, private).sort_values("Comment", kind="stable")
    columns = [gold[name].fillna("").tolist() for name in ("Date", "Comment")]
    lines: list[str] = []
    # Each row is written by one call.
    csv.writer(SimpleNamespace(write=lines.append), lineterminator="\n").writerows(
        zip(*columns, strict=True)
    )
    with open_output(public / "test.csv") as target:
        target.write("".join(["Date,Comment\n", *lines]).encode())
    with open_output(public / "sample_submission_null.csv") as target:
        target.write("0,".join(["Insult,Date,Comment\n", *lines]).encode())


changes = Changes(
    flags=(
        "external copy: the test labels were released by Kaggle",
        "easier than the board, which was made with another test set",
        "the scores of the board are far below those of today's models",
    ),
    refused="its rules cannot be accepted any more, so that Kaggle refuses new accounts",
    noisy=Noisy(50, "teams of the board", "folds of the test would not add teams"),
    prepare=prepare,
    passages={
        "`Date` and other columns may be there and are ignored.": (
            "`Date` may be there and is ignored; other columns are refused."
        ),
        "further columns, `Date` among them, are ignored;": (
            "`Date` may be there and is ignored, and further columns are refused;"
        ),
    },
)
