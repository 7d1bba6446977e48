"""Revision v1.1: ids of test rows do not follow from the split."""

from collections.abc import Sequence
from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.archives.writing import open_output
from mlebench.recipes.hashes import hash_of
from mlebench.revision import CROWDED_BOARD, Changes, Fix
from mlebench.tables import format_table, read_table, split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path, *, test_size: float | int = 100_000) -> None:
    """As v1, with test rows in the order of hashes; each row is formatted once for all tables."""
    table = read_table(raw / "train.csv")
    train, test = split_rows(table, test_size=test_size)
    write_table(train.assign(id=range(len(train))), public / "train.csv")
    header, *rows = format_table(test.drop(columns="target")).splitlines()
    targets = test["target"].astype(str).to_list()
    order = sorted(range(len(rows)), key=[hash_of(row) for row in rows].__getitem__)
    names = header.partition(",")[2]
    numbered = [
        (k, rows[row].partition(",")[2], targets[row]) for k, row in enumerate(order, len(train))
    ]
    write_lines(f"id,{names}", [f"{k},{x}" for k, x, _ in numbered], public / "test.csv")
    write_lines(
        f"id,{names},target", [f"{k},{x},{y}" for k, x, y in numbered], private / "test.csv"
    )
    write_lines("id,target", [f"{k},0.5" for k, _, _ in numbered], public / "sample_submission.csv")
    write_lines("id,target", [f"{k},{y}" for k, _, y in numbered], private / "gold_submission.csv")


def write_lines(header: str, rows: Sequence[str], path: Path) -> None:
    with open_output(path) as stream:
        stream.write("\n".join([header, *rows, ""]).encode())


changes = Changes(
    fixes=(
        Fix(
            "test rows are numbered in the order of the split",
            "test rows are numbered in the order of the hashes of their features",
        ),
    ),
    comparability="near",
    flags=(CROWDED_BOARD,),
    prepare=prepare,
)
