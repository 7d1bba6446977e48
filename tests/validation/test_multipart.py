"""Finding the file in a form by a look at both ends gives what a search of the whole gives."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import example, given
from hypothesis import strategies as st

from mlebench.validation import multipart
from mlebench.validation.multipart import FormError, find_file, find_plain_file

KIND = b"multipart/form-data; boundary=b"
HEAD = b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n'
PIECES = [HEAD, b"--b", b"\r\n--b", b"--b--", b"\r\n", b"\n", b"\r", b"--", b"-", b"x" * 70, b""]


def test_both_ends_are_enough_for_a_long_file() -> None:
    file = b"1,2\n" * 20_000
    body = HEAD + file + b"\r\n--b--\r\n"
    assert find_plain_file(KIND, body) == find_file(KIND, body) == slice(len(HEAD), -9 + len(body))
    assert find_plain_file(KIND, body + b"something behind the end") is None
    assert find_plain_file(KIND, HEAD + b"1\n\r\n--b--\r\n") is None


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(PIECES))
@example([b"--b", b"\r\n"], b"x" * 70)
@example([b"x" * 70, b"\r\n--b--"], b"")
def test_no_file_without_cr_is_found_at_another_place(pieces: list[bytes], end: bytes) -> None:
    body = HEAD + b"".join(pieces) + b"\r\n--b--" + end
    with patch.multiple(multipart, MAX_PART_HEAD=60, START_BYTES=120):
        place = find_plain_file(KIND, body)
        if place is None or b"\r" in body[place]:
            return
        try:
            assert find_file(KIND, body) == place
        except FormError as error:
            raise AssertionError(f"the whole search says: {error}") from error
