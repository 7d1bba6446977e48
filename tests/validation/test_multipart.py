"""The file in a form is found at its exact place, whatever bytes it is made of."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlebench.validation.multipart import MAX_CR, FormError, find_file

KIND = b"multipart/form-data; boundary=b"
HEAD = b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n'
OTHER = b'--b\r\nContent-Disposition: form-data; name="other"\r\n\r\nvalue\r\n'
END = b"\r\n--b--"
PIECES = [HEAD, b"--b", b"\r\n--b", b"--b--", b"\r\n", b"\n", b"\r", b"--", b"-", b"x" * 70, b"1,2"]


def test_a_long_file_is_found_at_its_place() -> None:
    file = b"1,2\n" * 20_000
    body = HEAD + file + END + b"\r\n"
    assert find_file(KIND, body) == slice(len(HEAD), len(HEAD) + len(file))
    assert body[find_file(KIND, body)] == file


@given(
    st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join),
    st.booleans(),
    st.sampled_from([b"", b"\r\n", b"something after the end"]),
)
@example(b"\r\r\n" * (MAX_CR + 1), False, b"")
@example(b"", True, b"")
def test_every_file_without_the_boundary_comes_back_whole(
    file: bytes, has_other: bool, after: bytes
) -> None:
    body = (OTHER if has_other else b"") + HEAD + file + END + after
    if b"\r\n--b" in b"\r\n" + file:
        # A boundary inside the file is the client's mistake: a refusal, or the part before it.
        with suppress(FormError):
            assert file.startswith(body[find_file(KIND, body)])
    else:
        assert body[find_file(KIND, body)] == file


@pytest.mark.parametrize("count", [MAX_CR - 1, MAX_CR, MAX_CR + 1, 5 * MAX_CR])
def test_many_carriage_returns_hide_no_boundary(count: int) -> None:
    file = b"1,2\r" * count
    assert bytes((HEAD + file + END)[find_file(KIND, HEAD + file + END)]) == file
    body = HEAD + file + b"\r\n" + HEAD + file + END
    with pytest.raises(FormError, match="exactly one field 'file', found 2"):
        find_file(KIND, body)
