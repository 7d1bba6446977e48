"""Lines of files that are large, grow, shrink or hold anything."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.viewer import lines as lines_module
from mlebench.viewer.lines import BLOCK, LineIndex, Lines, StillReading, whole_lines
from mlebench.viewer.logs import ERRORS, Search, read_page, read_tail
from mlebench.viewer.text import MAX_CHARACTERS, clean, show_line, show_text


@contextmanager
def opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def plain(data: bytes) -> list[bytes]:
    """The lines of a file as anybody would count them."""
    found = data.split(b"\n")
    return found if found[-1] else found[:-1]


def test_every_line_is_found_where_it_is(tmp_path: Path) -> None:
    rng = random.Random(3)
    parts = [b"%d " % k + b"x" * rng.choice((0, 3, 80, 700)) for k in range(9000)]
    parts[4000] = b"y" * (3 * BLOCK)  # a line that fills blocks on its own
    data = b"\n".join(parts)
    file = tmp_path / "log"
    for content in (data, data + b"\n"):
        file.write_bytes(content)
        with opened(file) as descriptor:
            index = Lines().of(descriptor)
            assert index.total == len(parts)
            for first in (0, 1, 2, 3998, 3999, 4000, 4001, 8990, 8999):
                bounds = index.bounds(descriptor, first, 5)
                found = [content[a:b].removesuffix(b"\n") for a, b in pairwise(bounds)]
                assert found == parts[first : first + 5], first
            assert index.bounds(descriptor, 9000, 5) in ([], [len(content)])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=30),
    st.booleans(),
)
def test_small_files_of_any_content(parts: list[bytes], is_ended: bool) -> None:
    data = b"\n".join(parts) + (b"\n" if is_ended and parts else b"")
    descriptor = os.memfd_create("log")
    try:
        os.write(descriptor, data)
        index = LineIndex()
        index.advance(descriptor)
        expected = plain(data)
        assert index.total == len(expected)
        page = read_page(descriptor, index, 0, 1000)
        assert len(page["lines"]) == len(expected)
        assert read_tail(descriptor, index, 1000)["lines"] == page["lines"]
        assert read_page(descriptor, index, len(expected), 10)["lines"] == []
    finally:
        os.close(descriptor)


def test_growing_file(tmp_path: Path) -> None:
    file, known, expected = tmp_path / "log", Lines(), b""
    rng = random.Random(1)
    with file.open("ab", buffering=0) as stream:
        for _ in range(40):
            piece = b"".join(b"z" * rng.randint(0, 9000) + b"\n" for _ in range(20))
            piece = piece[: rng.randint(1, len(piece))]
            stream.write(piece)
            expected += piece
            with opened(file) as descriptor:
                index = known.of(descriptor)
                assert index.total == len(plain(expected))
                last = read_tail(descriptor, index, 1)
                whole = plain(expected)[-1].decode()
                assert last["lines"][0]["text"] == whole[:MAX_CHARACTERS]
                assert last["size"] == len(expected)


def test_file_written_anew_is_counted_anew(tmp_path: Path) -> None:
    file, known = tmp_path / "log", Lines()
    file.write_bytes(b"old\n" * 200_000)
    with opened(file) as descriptor:
        assert known.of(descriptor).total == 200_000
        file.write_bytes(b"new\n" * 3)
        index = known.of(descriptor)
        assert index.total == 3
        assert read_tail(descriptor, index, 5)["lines"] == [{"text": "new"}] * 3


def test_very_large_files_say_how_far_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "log"
    file.write_bytes(b"line\n" * 2_000_000)
    monkeypatch.setattr(lines_module, "CHUNK", 2 * BLOCK)
    index = LineIndex()
    refused = 0
    with opened(file) as descriptor:
        while True:
            try:
                index.advance(descriptor, seconds=0)
                break
            except StillReading as waiting:
                assert "%" in str(waiting)
                refused += 1
        assert refused > 5 and index.total == 2_000_000


def test_search_equals_a_plain_one(tmp_path: Path) -> None:
    rng = random.Random(2)
    words = [b"alpha", b"Beta", b"gamma", b"Error: x", b"Traceback", b""]
    data = b"".join(b" ".join(rng.choices(words, k=4)) + b"\n" for _ in range(30_000))
    data += b"q" * 10_000_000 + b"needle" + b"q" * 5_000_000 + b"needle\nend"
    file = tmp_path / "log"
    file.write_bytes(data)
    lines = plain(data)
    with opened(file) as descriptor:
        for needles, ignore in (((b"beta",), True), ((b"beta",), False), ((b"needle",), False)):
            search = Search(needles, ignore, seconds=60)
            search.run(descriptor)
            wanted = [
                k
                for k, line in enumerate(lines)
                if any(n in (line.lower() if ignore else line) for n in needles)
            ]
            assert search.total == len(wanted)
            assert search.hits == wanted[:5000]
        search = Search(ERRORS, seconds=60)
        search.run(descriptor)
        assert search.total == sum(any(e in line for e in ERRORS) for line in lines)


def test_search_counts_on_after_the_last_hit_that_is_listed(tmp_path: Path) -> None:
    giant = b"z" * 9_000_000
    data = b"an e here\nnone\n" * 300_000 + giant + b"e" + giant + b"e\n" + b"e\n-\n" * 300_000
    file = tmp_path / "log"
    file.write_bytes(data)
    with opened(file) as descriptor:
        search = Search((b"e",), limit=10, seconds=60)
        search.run(descriptor)
    lines = plain(data)
    assert search.total == sum(b"e" in line for line in lines)
    assert search.hits == list(range(10))


def test_search_across_the_border_of_two_pieces() -> None:
    descriptor = os.memfd_create("log")
    try:
        os.write(descriptor, b"a" * 4_194_300 + b"needle" + b"a" * 100 + b"\nnext\n")
        search = Search((b"needle",), seconds=60)
        search.run(descriptor)
        assert (search.hits, search.total) == ([0], 1)
        pieces = b"".join(piece for piece, _ in whole_lines(descriptor, 5_000_000))
        assert len(pieces) == os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b"10 %\r20 %\r30 %", "30 %"),
        (b"windows\r", "windows"),
        (b"10 %\r20 %\r", "20 %"),
        (b"\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"),
        (b"\x1b[2Jcleared", "\\u001b[2Jcleared"),
        (b"\x1b]0;title\x07", "\\u001b]0;title\\u0007"),
        (b"tab\tstays", "tab\tstays"),
        ("\u202eevil".encode(), "\\u202eevil"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        (b"<b>&amp;", "<b>&amp;"),
    ],
)
def test_how_a_line_is_shown(line: bytes, shown: str) -> None:
    assert show_line(line, line, len(line)).text == shown


def test_long_lines_say_what_is_left_out() -> None:
    line = b"a" * 10_000
    shown = show_line(line, line, len(line))
    assert shown.text == "a" * MAX_CHARACTERS and shown.cut == 10_000 - MAX_CHARACTERS
    shown = show_line(b"a" * 16_384, b"a" * 16_384, 1_000_000)
    assert shown.cut == 1_000_000 - MAX_CHARACTERS
    bar = show_line(b"1 %\r" * 4096, b"\r99 %\r100 %", 1_000_000)
    assert (bar.text, bar.cut) == ("100 %", 0), "a progress bar has one state"


def test_texts_of_several_lines() -> None:
    assert show_text("a\r\nb\n10 %\r20 %\nc\r", 100).text == "a\nb\n20 %\nc"
    assert clean("\ud800") == "\\ud800"
    assert show_text("ü" * 10, 4).cut == 12
