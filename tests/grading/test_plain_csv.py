from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from mlebench.grading import csv_shape, plain_csv
from mlebench.grading.plain_csv import read_plain

GAPS = ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"]
GAPS += ["<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
ODD_NUMBERS = ["-0", "+1", " 7", "1.", ".5", "-.5e1", "1e", "e5", ".", "-", "1e-400", "1E+5", "007"]
ODD_NUMBERS += ["9223372036854775807", "9223372036854775808", "1e999", "inf", "1_0", "0x10", "1 2"]
ODD_NUMBERS += [
    "0." + "3" * 30,
    "9" * 18,
    "-" + "9" * 18,
    "1" * 19,
    "123456789.123456789",
    "5e-324",
]
texts_know_arrow = pytest.mark.skipif(
    pd.__version__ < "3", reason="texts of pandas 2 are left to pandas"
)


@pytest.fixture(autouse=True, scope="module")
def small_pieces() -> Iterator[None]:
    """Pieces and samples of few bytes, so that short tables have many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_shape, "PIECE", 100)
        patch.setattr(plain_csv, "SAMPLE", 20)
        yield


def by_pandas(data: bytes) -> pd.DataFrame:
    options = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}
    return pd.read_csv(io.BytesIO(data), index_col=False, low_memory=False, **options)


def require_same(data: bytes) -> None:
    found = read_plain(data)
    assert found is not None
    assert_frame_equal(found, by_pandas(data), check_exact=True)


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


floats = st.floats(allow_nan=False, allow_infinity=False)
spelled = floats.flatmap(
    lambda value: st.sampled_from([repr(value), f"{value:g}", f"{value:.3f}", f"{value:.18e}"])
)
whole = st.integers(1 - 2**63, 2**63 - 1).map(str)
words = st.text(
    st.characters(codec="utf-8", exclude_characters='",\r\n\0'), min_size=1, max_size=40
)
written = st.text(st.characters(codec="utf-8", exclude_characters="\r\0")).map(quoted)
anything = st.one_of(whole, spelled, words, written, st.sampled_from([*GAPS, *ODD_NUMBERS, "True"]))


@given(st.lists(st.tuples(anything, anything, anything), min_size=1, max_size=30), st.booleans())
def test_whatever_is_read_is_what_pandas_reads(rows: list[tuple[str, ...]], is_ended: bool) -> None:
    text = "\n".join(["a,b,c", *(",".join(row) for row in rows)]) + "\n" * is_ended
    found = read_plain(text.encode())
    assume(found is not None)  # where too few examples are read, Hypothesis fails
    assert found is not None
    assert_frame_equal(found, by_pandas(text.encode()), check_exact=True)


@given(st.lists(st.tuples(whole, st.one_of(spelled, whole, st.sampled_from(GAPS))), min_size=1))
def test_numbers_and_gaps_are_exact(rows: list[tuple[str, str]]) -> None:
    text = "\n".join(["a,b", *(",".join(row) for row in rows)]).replace(",-0\n", ",0\n")
    found = read_plain(text.encode())
    if found is not None:
        assert_frame_equal(found, by_pandas(text.encode()), check_exact=True)
    else:
        # Only numbers with an exponent, or floats beyond 18 digits, may need more than we know.
        assert any("e" in cell or len(cell) > 18 or cell == "-0" for _, cell in rows)


@given(st.integers(0, 10**19 - 1), st.integers(1, 27))
def test_every_decimal_fraction_is_rounded_once(digits: int, power: int) -> None:
    text = f"{digits:0{power + 1}d}"
    cell = f"{text[:-power]}.{text[-power:]}"
    found = read_plain(f"a,b\n0.5,{cell}\n".encode() + b"0,0.0\n" * 9)
    assert found is not None
    assert found["b"][0] == float(cell)


@pytest.mark.parametrize("middle", range(0, 2**54, 2**54 // 50))
def test_halves_between_two_floats_go_to_the_even_one(middle: int) -> None:
    digits = 2**53 + middle | 1
    cells = [
        f"{digits * 5 // 10}.{digits * 5 % 10}",
        f"{digits * 25 // 100}.{digits * 25 % 100:02}",
    ]
    found = read_plain("".join(["a,b\n", *(f"0.5,{cell}\n" for cell in cells)]).encode())
    assert found is not None
    assert found["b"].tolist() == [float(cell) for cell in cells]


@texts_know_arrow
@given(st.lists(st.tuples(whole, st.one_of(words, written)), min_size=1), st.booleans())
def test_texts_with_and_without_quotes(rows: list[tuple[str, str]], is_ended: bool) -> None:
    lines = ["a,b", '0,"a word, then ""more"""', *(",".join(row) for row in rows)]
    require_same(("\n".join(lines) + "\n" * is_ended).encode())


@texts_know_arrow
def test_numbers_too_large_for_a_sign_and_lists_that_begin_with_one_number() -> None:
    require_same(
        b"id,x,list\n1,2,7\n9999999999999999999,-1,1 2\n" + b"9223372036854775808,3,\n" * 9
    )


@texts_know_arrow
def test_a_gap_in_a_text_and_a_number_that_turns_float() -> None:
    lines = [f"{k},w{k},{k / 2 if k > 70 else k}" for k in range(100)]
    lines[50] = ",NA,3"
    require_same("\n".join(["id,word,x", *lines]).encode())


@texts_know_arrow
def test_long_lines_and_huge_cells() -> None:
    cells = ["x" * 5000, quoted("y\n" * 3000), "é" * 700, ""]
    require_same("".join(["a,b\n", *(f"{k},{cell}\n" for k, cell in enumerate(cells))]).encode())


@pytest.mark.parametrize(
    "text",
    [
        "a\n1\n",
        "a,b\n",
        "a,b\n1,2\n\n3,4\n",
        "a,b\n1,2,3\n4\n",
        "a,b\n1,2\n3\n",
        "a,b\r\n1,2\r\n",
        "a,a\n1,2\n",
        "a,\n1,2\n",
        "a,b\nTrue,1\nFalse,2\n",
        'a,b\n1,x\n2,y"z"\n',
        'a,b\n1,"x"y\n',
        'a,b\n1,"x\n',
        "a,b\n1,x\0y\n",
        '"a\nb",c\n1,2\n',
        "a,b\n" + "1,2\n" * 50 + "1,x\n",
        "",
        "a,b",
    ],
)
def test_what_is_not_plain_is_left_to_pandas(text: str) -> None:
    assert read_plain(text.encode()) is None


def test_texts_that_are_not_utf8_are_left_to_pandas() -> None:
    assert read_plain(b"a,b\n1,x\n" + b"2,\xff\xfe\n" * 9) is None


def test_a_large_table_of_both_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_shape, "PIECE", 1 << 16)
    numbers = np.random.default_rng(0).random((50_000, 2))
    frame = pd.DataFrame(numbers, columns=["x", "y"]).assign(k=range(50_000))
    require_same(frame.to_csv(index=False).encode())


@texts_know_arrow
def test_masks_are_texts_even_if_the_first_is_empty() -> None:
    require_same(b"id,mask\n1,-\n2,1 5 7 9\n3,12\n4,\n")
