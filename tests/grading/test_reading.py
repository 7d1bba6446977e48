"""Hostile and odd CSV files: a table or a reason, never a crash, never a long wait."""

from __future__ import annotations

import os
import socket
import stat
import time
from pathlib import Path

import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.grading import reading
from mlebench.grading.reading import Limits, parse_submission, read_submission
from mlebench.grading.sealed import read_regular_file


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
    table = parse_submission(data, "submission.csv")
    assert list(table.columns) == ["id", "x"]
    assert table.to_numpy().tolist() == [[1, 0.5], [2, 0.25]]


def test_quoted_newlines_commas_and_quotes_are_content() -> None:
    data = b'id,text\n1,"a\nb, ""c"""\n2,plain\n'
    assert parse_submission(data, "s.csv")["text"].tolist() == ['a\nb, "c"', "plain"]


def test_a_quote_inside_a_bare_field_is_content() -> None:
    assert parse_submission(b'id,text\n1,5" pipe\n2,b\n', "s.csv")["text"].tolist() == [
        '5" pipe',
        "b",
    ]


def test_floats_are_exact() -> None:
    table = parse_submission(b"x\n0.1234567890123456789\n1e-300\n", "s.csv")
    assert table["x"].tolist() == [float("0.1234567890123456789"), 1e-300]


@pytest.mark.timing
def test_c01_a_repeated_header_is_refused_at_once() -> None:
    start = time.monotonic()
    assert "longer than" in reason(b",".join([b"a"] * 500_000) + b"\n1\n")
    assert "stands twice" in reason(b"id,a,a\n1,2,3\n")
    assert time.monotonic() - start < 1


def test_c02_too_many_rows_are_refused_before_they_become_a_table() -> None:
    text = reason(b"a,b\n" + b",\n" * 5_000, Limits(max_rows=1_000))
    assert "5,000 rows" in text
    assert "1,000" in text


def test_c03_shifted_and_short_rows_are_refused_with_their_line() -> None:
    assert reason(b"id,x\n1,2,3\n4,5,6\n") == "line 2 of submission.csv has 3 fields, expected 2"
    assert reason(b"id,x\n1,2\n3\n") == "line 3 of submission.csv has 1 fields, expected 2"


@pytest.mark.parametrize("data", [b"i\0d,x\n1,2\n", b"id,x\n1\0,2\n", b"id,x\n1,2\n\0"])
def test_c04_a_nul_byte_is_refused(data: bytes) -> None:
    assert "NUL byte" in reason(data)


def test_c05_an_open_quote_is_named_by_its_line() -> None:
    assert "opens in line 3" in reason(b'id,x\n1,2\n3,"4\n5,6\n')


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("id,x\n1,ü\n".encode("utf-16"), "UTF-16"),
        ("id,x\n1,ü\n".encode("latin-1"), "not UTF-8 text: byte 0xfc in line 2"),
        (b"\xef\xbb\xbf\xef\xbb\xbfid,x\n1,2\n", "two byte-order marks"),
        (b"id,x\r1,2\r", "bare CR"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "NUL byte"),
        (b"", "is empty"),
        (b"\n\n \n", "is empty"),
    ],
)
def test_c09_encodings_and_binary_files_get_one_sentence(data: bytes, words: str) -> None:
    assert words in reason(data)


@pytest.mark.parametrize("text", ["aé", "€", "日本", "😀x", "é" * 30])
@pytest.mark.parametrize("piece", range(1, 9))
def test_text_cut_into_pieces_is_still_utf8(
    text: str, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PIECE", piece)
    data = f"id,x\n1,{text}\n".encode()
    assert parse_submission(data, "s.csv")["x"].tolist() == [text]
    for place in range(8, len(data) - 1):
        broken = data[:place] + b"\xff" + data[place:]
        assert "not UTF-8 text: byte 0xff" in reason(broken) or data[place] & 0xC0 == 0x80


def test_c10_addresses_and_compressed_files_are_never_opened(tmp_path: Path) -> None:
    import gzip

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/x.csv"
        with pytest.raises(InvalidSubmissionError):
            read_submission(Path(address))
        with pytest.raises(TimeoutError):
            server.accept()
    packed = tmp_path / "submission.csv.gz"
    packed.write_bytes(gzip.compress(b"id,x\n1,2\n"))
    with pytest.raises(InvalidSubmissionError):
        read_submission(packed)


def test_h01_links_are_refused_and_their_target_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "answers.csv"
    secret.write_text("id,x\n1,canary\n")
    for name, target in (("a.csv", secret), ("b.csv", tmp_path / "gone"), ("c.csv", "/dev/zero")):
        (tmp_path / name).symlink_to(target)
        with pytest.raises(InvalidSubmissionError, match="symbolic link") as caught:
            read_submission(tmp_path / name)
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
                read_submission(tmp_path / name)


@pytest.mark.timeout(5)
def test_h04_ten_gigabytes_of_zeros_are_refused_without_reading(tmp_path: Path) -> None:
    file = tmp_path / "submission.csv"
    with file.open("wb") as stream:
        stream.truncate(10 << 30)
    assert stat.S_ISREG(file.stat().st_mode)
    with pytest.raises(InvalidSubmissionError, match="bytes, more than"):
        read_regular_file(file, 64 << 20)


def test_limits_follow_the_known_good_files(tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("id,x\n" + "1,2\n" * 100)
    limits = Limits.beside([answers, tmp_path / "missing.csv"])
    assert limits.max_rows == 2 * 101 + 1000
    assert limits.max_bytes == 4 * answers.stat().st_size + (64 << 20)


@pytest.mark.parametrize(
    ("first", "last"),
    [("1", "9223372036854775808"), ("1", "x"), ("", "x"), ("True", ""), ("True", "x"), ("1", "")],
)
def test_a_column_is_typed_as_a_whole_however_large(first: str, last: str) -> None:
    """Above five megabytes pandas reads a file in parts, on several processors."""
    lines = ["id,x", *[f"1000000001,{first}"] * 600_000, *[f"1000000001,{last}"] * 2]
    table = parse_submission("\n".join(lines).encode(), "a")
    small = parse_submission(f"id,x\n1,{first}\n1,{last}\n".encode(), "a")
    assert table["x"].dtype == small["x"].dtype
    assert {type(cell) for cell in table["x"]} == {type(cell) for cell in small["x"]}
