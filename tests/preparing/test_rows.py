"""Rows of a CSV as bytes: what numpy finds is what `csv` reads."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import numpy as np
import pytest

from mlebench.archives.write_log import OutputPath, WriteLog
from mlebench.archives.writing import open_output
from mlebench.preparing.order import sorted_places
from mlebench.preparing.rows import ByteRows, find_ends, leading_cells, read_header

CELLS = ["", "a", "1", "é", "two words", "a,b", 'say "no"', "two\nlines", '"', "it's", "x\r\ny"]


def spelled(rows: list[list[str]], end: str) -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=end).writerows(rows)
    return stream.getvalue().encode("latin-1")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("seed", range(20))
def test_rows_are_those_of_the_csv_module(seed: int, end: str) -> None:
    draw = random.Random(seed)
    rows = [[draw.choice(CELLS) for _ in range(4)] for _ in range(30)]
    data = spelled(rows, end)
    assert find_ends(data) is not None
    found = ByteRows.divide(data, [3, 1])
    assert found.columns == [[cells[k].encode("latin-1") for cells in rows] for k in (3, 1)]
    assert found.lines(np.arange(30)[::-1]) == [spelled([row], end) for row in rows][::-1]
    assert leading_cells(data, 3) == found.columns[0][:-1]


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b"5'10\" tall,x\nb,y\n", [b"5'10\" tall", b"b"]),
        (b'"a" b,x\nc,y\n', [b"a b", b"c"]),
        (b"a\n\nb\n", [b"a", b"", b"b"]),
        (b"a,x", [b"a"]),
        (b"a,x\nb\n,c,d\n", [b"a", b"b", b""]),
        (b'a,"x\n', [b"a"]),
        (b'"a""b",x\n', [b'a"b']),
        (b'a,"x" \n', [b"a"]),
        (b"", []),
    ],
)
def test_odd_tables_are_read_as_csv_reads_them(data: bytes, keys: list[bytes]) -> None:
    found = ByteRows.divide(data, [0])
    lines = found.lines()
    assert found.columns == [keys]
    assert b"".join(lines) == data + b"\n" * (data[-1:] not in (b"", b"\n"))
    assert all(line.endswith(b"\n") for line in lines)


def test_a_cut_row_is_none_of_the_leading_ones() -> None:
    assert leading_cells(b'a,x\nb" c,y\nd,z\n"e', 0) == [b"a", b'b" c', b"d"]


@pytest.mark.parametrize(
    ("keys", "places"),
    [
        ([b"10", b"9", b"100"], [1, 0, 2]),
        ([b"b", b"10", b"b", b"9"], [1, 3, 0, 2]),
        ([b"2", b"1", b"02", b"1"], [1, 3, 0, 2]),
        ([b"18446744073709551616", b"3"], [1, 0]),
        ([b"1", b"-1", b" 1"], [2, 1, 0]),
        ([b"1", b"1", b"20"], None),
        ([], None),
    ],
)
def test_keys_are_sorted_as_numbers_only_if_all_are(
    keys: list[bytes], places: list[int] | None
) -> None:
    found = sorted_places(keys)
    assert (found if found is None else found.tolist()) == places


def test_a_header_may_have_several_lines(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(b'id,"a\nb"\n1,2\n')
    assert read_header(file) == (["id", "a\nb"], len(b'id,"a\nb"\n'))
    file.write_bytes(b"")
    assert read_header(file) == ([], 0)


def test_a_linked_table_that_is_written_again_leaves_the_other_one(tmp_path: Path) -> None:
    source, target = tmp_path / "source.csv", tmp_path / "target.csv"
    source.write_bytes(b"id\n2\n1\n")
    log = WriteLog(offered={str(target): ("digest", str(source))})
    assert log.link(str(target), "digest")
    with open_output(OutputPath.of(target, log)) as stream:
        stream.write(b"id\n1\n2\n")
    assert source.read_bytes() == b"id\n2\n1\n"
    assert target.read_bytes() == b"id\n1\n2\n" and not log.linked
