"""Hostile and odd CSV files: a table or a reason, never a crash, never a long wait."""

from __future__ import annotations

import os
import socket
import stat
import time
from pathlib import Path

import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.files import read_regular_file
from mlebench.grading.reading import Limits, SubmissionTable, parse_submission

MAX_BYTES = 1 << 20


def read(data: bytes) -> SubmissionTable:
    return parse_submission(data, "submission.csv")


def reason(data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(InvalidSubmissionError) as caught:
        parse_submission(data, "submission.csv", limits)
    return str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"id,x\n1,0.5\n2,0.25\n",
        b"\xef\xbb\xbfid,x\n1,0.5\n2,0.25\n",
        b"id,x\r\n1,0.5\r\n2,0.25\r\n",
        b"id,x\n1,0.5\n2,0.25",
        b"\nid,x\n1,0.5\n\n2,0.25\n\n",
        b'"id","x"\n"1","0.5"\n"2","0.25"\n',
    ],
    ids=["plain", "bom", "crlf", "no last newline", "blank lines", "quoted"],
)
def test_honest_spellings_read_alike(data: bytes) -> None:
    table = read(data).table
    assert list(table.columns) == ["id", "x"]
    assert table.to_numpy().tolist() == [[1, 0.5], [2, 0.25]]


def test_quoted_newlines_commas_and_quotes_are_content() -> None:
    data = b'id,text\n1,"a\nb, ""c"""\n2,plain\n'
    assert read(data).table["text"].tolist() == ['a\nb, "c"', "plain"]


def test_a_quote_inside_a_bare_field_is_content() -> None:
    assert read(b'id,text\n1,5" pipe\n2,b\n').table["text"].tolist() == ['5" pipe', "b"]


def test_floats_are_exact() -> None:
    spelled = ["0.1234567890123456789", "1e-300", "4.35", "0.30000000000000004", "8.41e21", "1e-6"]
    table = read("\n".join(["x", *spelled]).encode()).table
    assert table["x"].tolist() == [float(cell) for cell in spelled]


@pytest.mark.parametrize(
    ("data", "columns", "rows", "warning"),
    [
        (b"id,x,x\n1,2,3\n", ["id", "x", "x.1"], [[1, 2, 3]], "named twice"),
        (b"id,x,\n1,2\n3,4\n", ["id", "x", "Unnamed: 2"], [[1, 2, None], [3, 4, None]], "no name"),
        (b"id,x\n1,2,3\n4,5,6\n", ["id", "x"], [[2, 3], [5, 6]], "the first 1 are ignored"),
        (b"id,x\n1,2,3\n4,5\n", ["id", "x"], [[2, 3], [5, None]], "the first 1 are ignored"),
        (b"id,x\n1,2\n3\n", ["id", "x"], [[1, 2], [3, None]], "fewer than 2 fields"),
        (b'id,x\n"1",2\n3\n', ["id", "x"], [[1, 2], [3, None]], "fewer than 2 fields"),
        (b"id,x\r1,2\r3,4\r", ["id", "x"], [[1, 2], [3, 4]], "bare CR"),
        (b"id,x\r1,2\r 3,4", ["id", "x"], [[1, 2], [3, 4]], "bare CR"),
        (b'id,x\r1,"a\rb"\r', ["id", "x"], [[1, "a\rb"]], "bare CR"),
        (b'id,x\r1,a"b\r 3,4', ["id", "x"], [[1, 'a"b'], [3, "4"]], "bare CR"),
        (b'\xef\xbb\xbf"id",x\r1,2\r 3,4', ["id", "x"], [[1, 2], [3, 4]], "bare CR"),
    ],
)
def test_odd_files_are_read_as_pandas_reads_them_with_a_warning(
    data: bytes, columns: list[str], rows: list[list[object]], warning: str
) -> None:
    found = read(data)
    assert list(found.table.columns) == columns
    table = found.table.astype(object).where(found.table.notna(), None)
    assert table.to_numpy().tolist() == rows
    assert any(warning in text for text in found.warnings)


@pytest.mark.timeout(20)
def test_a_blank_after_a_bare_return_does_not_repeat_rows_for_ever() -> None:
    """pandas alone fills the memory with the same row."""
    found = read(b"a,b\n1,2\n3\r\t \r\r ,\n5,6\n")
    assert found.table["b"].fillna(0).tolist() == [2, 0, 0, 6]


def test_honest_files_have_no_warnings() -> None:
    assert read(b'id,x\r\n1,"a,b"\r\n2,"c\nd"\r\n').warnings == ()


@pytest.mark.timing
def test_c01_a_repeated_header_is_read_or_refused_at_once() -> None:
    start = time.monotonic()
    assert "longer than" in reason(b",".join([b"a"] * 500_000) + b"\n1\n")
    assert "more than 10,000" in reason(b",".join([b"a"] * 20_000) + b"\n1\n")
    assert time.monotonic() - start < 2


def test_short_rows_below_a_wide_header_do_not_fill_the_memory() -> None:
    assert "much shorter" in reason(b",".join([b"a%d" % k for k in range(9_000)]) + b"\n1" * 5_000)
    assert "first row" in reason(b"id,x\n" + b"," * 50_000 + b"\n")


def test_c02_too_many_rows_are_refused_before_they_become_a_table() -> None:
    text = reason(b"a,b\n" + b",\n" * 5_000, Limits(max_rows=1_000))
    assert "5,000 rows" in text
    assert "1,000" in text


def test_c03_a_row_that_is_too_long_is_refused_with_its_line() -> None:
    said = reason(b"id,x\n1,2\n3,4,5\n")
    assert said.endswith(" is not a readable CSV: line 3 has 3 fields, expected 2")


@pytest.mark.parametrize("data", [b"i\0d,x\n1,2\n", b"id,x\n1\0,2\n", b"id,x\n1,2\n\0"])
def test_c04_a_nul_byte_is_refused(data: bytes) -> None:
    assert "NUL byte" in reason(data)


def test_c05_an_open_quote_is_refused() -> None:
    said = reason(b'id,x\n1,2\n3,"4\n5,6\n')
    assert said.endswith(" is not a readable CSV: the quoted cell that begins in row 2 has no end")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("id,x\n1,ü\n".encode("utf-16"), "UTF-16"),
        ("id,x\n1,ü\n".encode("latin-1"), "not UTF-8 text: byte 0xfc"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "NUL byte"),
        (b"", "is empty"),
        (b"\n\n \n", "is empty"),
    ],
)
def test_c09_encodings_and_binary_files_get_one_sentence(data: bytes, words: str) -> None:
    assert words in reason(data)


def test_c10_addresses_and_compressed_files_are_never_opened(tmp_path: Path) -> None:
    import gzip

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.csv"
        with pytest.raises(InvalidSubmissionError):
            read_regular_file(Path(address), MAX_BYTES)
        with pytest.raises(TimeoutError):
            server.accept()
    packed = tmp_path / "submission.csv.gz"
    packed.write_bytes(gzip.compress(b"id,x\n1,2\n"))
    assert "not UTF-8" in reason(read_regular_file(packed, MAX_BYTES).replace(b"\0", b""))


def test_h01_links_are_refused_and_their_target_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "answers.csv"
    secret.write_text("id,x\n1,canary\n")
    for name, target in (("a.csv", secret), ("b.csv", tmp_path / "gone"), ("c.csv", "/dev/zero")):
        (tmp_path / name).symlink_to(target)
        with pytest.raises(InvalidSubmissionError, match="symbolic link") as caught:
            read_regular_file(tmp_path / name, MAX_BYTES)
        assert "canary" not in str(caught.value)


@pytest.mark.timeout(5)
def test_h02_pipes_folders_and_sockets_do_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "folder.csv").mkdir()
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket.csv"))
        for name, word in (
            ("pipe.csv", "pipe"),
            ("folder.csv", "folder"),
            ("socket.csv", "unreadable"),
        ):
            with pytest.raises(InvalidSubmissionError, match=word):
                read_regular_file(tmp_path / name, MAX_BYTES)


@pytest.mark.timeout(5)
def test_h04_ten_gigabytes_of_zeros_are_refused_without_reading(tmp_path: Path) -> None:
    file = tmp_path / "submission.csv"
    with file.open("wb") as stream:
        stream.truncate(10 << 30)
    assert stat.S_ISREG(file.stat().st_mode)
    with pytest.raises(InvalidSubmissionError, match="bytes, more than"):
        read_regular_file(file, 64 << 20)


def test_limits_follow_the_sample_submission(tmp_path: Path) -> None:
    sample = tmp_path / "sample.csv"
    sample.write_text("id,x\n" + "1,2\n" * 100)
    limits = Limits.beside(sample)
    assert limits.max_rows == 2 * 101 + 1_000_000
    assert limits.max_bytes == 4 * sample.stat().st_size + 101 * (16 << 10) + (64 << 20)
    assert Limits.beside(tmp_path / "missing.csv") == Limits()


@pytest.mark.parametrize(
    ("first", "last"),
    [("1", "9223372036854775808"), ("1", "x"), ("", "x"), ("True", ""), ("True", "x"), ("1", "")],
)
def test_a_column_is_typed_as_a_whole_however_large(first: str, last: str) -> None:
    """pandas' default reads a file in parts, and may type each by itself."""
    lines = ["id,x", *[f"1000000001,{first}"] * 600_000, *[f"1000000001,{last}"] * 2]
    table = read("\n".join(lines).encode()).table
    small = read(f"id,x\n1,{first}\n1,{last}\n".encode()).table
    assert table["x"].dtype == small["x"].dtype
    assert {type(cell) for cell in table["x"]} == {type(cell) for cell in small["x"]}
