"""A table put into another order by way of the disk is the table put into that order."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.reordering import reordered
from mlebench.tables import TableWriter, read_pieces, write_table


@pytest.mark.parametrize(("rows", "piece"), [(3, 2), (10, 4), (1000, 7)])
def test_rows_come_in_the_order_named(rows: int, piece: int, tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"id": range(10), "text": ["a", None, "", "ü\r\n", '"', "f", "g", ",", "i", "j"]}
    )
    order = [3, 9, 0, 1, 2, 8, 7, 4, 6, 5]
    pieces = (table.iloc[start : start + piece] for start in range(0, 10, piece))
    found = list(reordered(pieces, order, tmp_path, rows=rows))
    assert [len(part) for part in found][:-1] == [rows] * (len(found) - 1)
    whole = pd.concat(found)
    assert whole["id"].tolist() == order
    assert whole["text"].isna().tolist() == [k == 1 for k in order]
    assert list(tmp_path.iterdir()) == []


def test_pieces_written_one_by_one_are_the_table_written_at_once(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"id": ["007", "x", "1e5"], "text": ["a\r\nb", None, 'say "hi", he said'], "n": [0.1, 2, 3]}
    )
    write_table(table, tmp_path / "at_once.csv")
    with TableWriter(tmp_path / "in_pieces.csv") as out:
        for piece in read_pieces(tmp_path / "at_once.csv", rows=1, dtype={"id": str, "n": float}):
            out.write(piece)
    assert (tmp_path / "in_pieces.csv").read_bytes() == (tmp_path / "at_once.csv").read_bytes()


def test_texts_are_quoted_and_gaps_are_empty_texts_on_demand(tmp_path: Path) -> None:
    with TableWriter(tmp_path / "x.csv", quote_texts=True) as out:
        out.write(pd.DataFrame({"n": [1], "text": ["a"]}))
        out.write(pd.DataFrame({"n": [2], "text": [None]}))
    assert (tmp_path / "x.csv").read_text() == '"n","text"\n1,"a"\n2,""\n'
