"""Masks as run lengths: what is read, what is refused, and that size costs nothing."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.odd_runs import runs_of
from mlebench.formats.run_lengths import (
    MaskPerId,
    mask_texts,
    read_runs,
    read_runs_as_published,
)
from mlebench.metrics.masks import compare

Cells = Sequence[str | None]


def texts_of(cells: Cells) -> pd.Series:
    return mask_texts(pd.Series(cells, dtype=object))


def areas(true: Cells, predicted: Cells, size: int = 10**12) -> list[tuple[int, int, int]]:
    """For each row the pixels of the truth, of the prediction, and of both."""
    sizes = np.full(len(true), size)
    sides = [read_runs(texts_of(cells), sizes) for cells in (true, predicted)]
    truth, prediction = compare(*sides, sizes)
    return list(
        zip(*(a.tolist() for a in (truth.pixels, prediction.pixels, prediction.hits)), strict=True)
    )


def test_pairs_of_start_and_length() -> None:
    assert areas(["1 3 10 5", None, "  7\t1 ", " "], ["2 9", "4 2", "\v7\f1\n", None]) == [
        (8, 9, 3),
        (0, 2, 0),
        (1, 1, 1),
        (0, 0, 0),
    ]


def test_odd_counts_follow_the_published_decoder() -> None:
    # A lone number marks nothing; in three numbers both runs have the one length.
    assert areas(["5", "3 2 20"], ["5 1", "20 5"]) == [(0, 1, 0), (4, 5, 2)]


def test_runs_may_touch_each_other_and_the_borders() -> None:
    true, predicted = ["1 4 5 6", "1 10"], ["3 8", "1 5 6 1"]
    assert areas(true, predicted, size=10) == [(10, 8, 8), (10, 6, 6)]
    assert areas(predicted, true, size=10) == [(8, 10, 8), (6, 10, 6)]


def test_numbers_of_any_length_up_to_18_digits() -> None:
    numbers = [7 * 10**k + k for k in range(18)]
    cells = [f"{number} {number}" for number in numbers]
    zeros = [f"{number:018d} {number:018d}" for number in numbers]
    size = 10**12
    inside = [min(2 * number - 1, size) - min(number - 1, size) for number in numbers]
    assert areas(cells, zeros, size=size) == [(pixels,) * 3 for pixels in inside]
    assert read_runs(pd.Series(zeros)).starts.tolist() == [number - 1 for number in numbers]


def test_runs_are_cut_at_the_end_of_the_picture() -> None:
    long = ["9 99999999999999991 100000000000000000 900000000000000000", "13 2", "1 1"]
    assert areas(long, ["1 100", "1 100", "5 10"], size=10) == [(2, 10, 2), (0, 10, 0), (1, 6, 0)]


def test_large_cells_and_cells_of_nothing() -> None:
    many = " ".join(f"{2 * k + 1} 1" for k in range(300_000))
    assert areas([many, " " * 500_000], ["1 600000", ""]) == [
        (300_000, 600_000, 300_000),
        (0, 0, 0),
    ]
    assert areas([], []) == []
    assert areas([None, None], [None, ""]) == [(0, 0, 0)] * 2


def written(pixels: set[int]) -> str:
    """The runs of a set of pixels."""
    starts = sorted(pixel for pixel in pixels if pixel - 1 not in pixels)
    ends = sorted(pixel for pixel in pixels if pixel + 1 not in pixels)
    return " ".join(f"{a} {b - a + 1}" for a, b in zip(starts, ends, strict=True))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.sets(st.integers(1, 40))] * 2), max_size=8), st.integers(0, 45))
def test_areas_are_those_of_sets_of_pixels(rows: list, size: int) -> None:
    inside = set(range(1, size + 1))
    expected = [(len(a & inside), len(b & inside), len(a & b & inside)) for a, b in rows]
    cells = [[written(row[side]) for row in rows] for side in (0, 1)]
    assert areas(*cells, size=size) == expected


def is_accepted(cell: str) -> bool:
    """The rules in plain words: pairs of numbers above 0 whose runs ascend without overlap."""
    words = cell.split()
    if not all(len(word) <= 18 and word.isascii() and word.isdigit() for word in words):
        return False
    if len(words) % 2 and len(words) > 3:
        return False
    numbers = [int(word) for word in words] + [int(word) for word in words[1:2] if len(words) == 3]
    runs = list(zip(numbers[::2], numbers[1::2], strict=False))
    return all(int(word) > 0 for word in words) and all(
        start + length <= after for (start, length), (after, _) in pairwise(runs)
    )


words = st.sampled_from(
    ["1", "2", "3", "07", "12", "0", "-1", "+1", "x", "1.5", "9" * 18, "9" * 19]
)
blanks = st.sampled_from([" ", "  ", "\t", "\v", "\n"])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(words, blanks) | st.tuples(st.text(max_size=3), blanks), max_size=6))
def test_verdicts_follow_the_rules(parts: list) -> None:
    # Blanks beyond ASCII separate words for Python only.
    cell = "".join(part for pair in parts for part in pair).encode("ascii", "replace").decode()
    cell = cell.translate(dict.fromkeys(range(32), " "))
    try:
        areas(["", "1 1"], ["1 1", cell])
    except InvalidSubmissionError as refusal:
        assert "row 2" in str(refusal)
        assert not is_accepted(cell)
    else:
        assert is_accepted(cell)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("1 two", "'two'"),
        ("1.5 3", "'1.5'"),
        ("5 -2", "'-2'"),
        ("1_0 3", "'1_0'"),
        ("١ 3", "expected integers"),
        ("9" * 19 + " 1", "expected integers"),
        ("1" * 300_000, "expected integers"),
        ("0", "expected 1 or more"),
        ("0 5", "expected 1 or more"),
        ("5 0", "expected 1 or more"),
        ("10 5 1 3", "ascend"),
        ("1 2 10 2 20", "5 numbers"),
        ("1 5 3 5", "overlap"),
        ("7 1 7 2", "overlap"),
    ],
)
def test_malformed_masks_are_refused_with_their_row(cell: str, reason: str) -> None:
    with pytest.raises(InvalidSubmissionError, match=reason) as refusal:
        areas(["", "1 1"], ["1 1", cell])
    assert "row 2" in str(refusal.value)


def test_the_first_wrong_row_is_named() -> None:
    with pytest.raises(InvalidSubmissionError, match="row 3"):
        areas([""] * 5, ["1 1", "2 2", "x", "1 1", "y"])


def test_overlaps_past_the_end_do_not_count_after_a_cut() -> None:
    texts = texts_of(["1 4 100 7 103 9"])

    def area(size: int) -> int:
        return int(read_runs(texts, np.array([size]), is_cut_first=True).pixels(1)[0])

    assert [area(50), area(102)] == [4, 7]
    for size in (103, 200):
        with pytest.raises(InvalidSubmissionError, match="overlap"):
            area(size)


def test_texts_in_pieces_of_memory_and_in_another_order() -> None:
    pieces = [pd.Series(["1 1", None, "1 3"], dtype="str"), pd.Series(["1 4", "1 5"], dtype="str")]
    texts = mask_texts(pd.concat(pieces, ignore_index=True).iloc[1:]).iloc[[3, 0, 2, 1]]
    assert read_runs(texts).pixels(4).tolist() == [5, 0, 4, 3]
    # A wrong mask is named by its row in the file.
    with pytest.raises(InvalidSubmissionError, match="row 4"):
        read_runs(texts_of(["1 1", "1 1", "1 1", "x"]).iloc[[3, 0, 2, 1]])


def test_runs_of_the_first_rows() -> None:
    runs = read_runs(texts_of(["1 1 5 1", None, "7 1"])).of_first_rows(2)
    assert (runs.rows.tolist(), runs.starts.tolist(), runs.ends.tolist()) == (
        [0, 0],
        [0, 4],
        [1, 5],
    )


FORM = MaskPerId(id="id", target="mask", size=("width", "height"))
ANSWERS = pd.DataFrame({"id": ["a", "b"], "mask": ["1 2", None], "width": 3.0, "height": 2})


def test_rows_are_aligned_and_cut_to_the_picture() -> None:
    submission = pd.DataFrame({"id": ["b", "a"], "mask": ["7 100000000000000", "2 99"]})
    truth, predicted, _ = FORM.align(submission, ANSWERS)
    assert truth.pixels.tolist() == [2, 0]
    assert predicted.pixels.tolist() == [5, 0]


def test_a_column_of_gaps_is_fine_and_one_of_numbers_is_not() -> None:
    _, predicted, _ = FORM.align(pd.DataFrame({"id": ["a", "b"], "mask": np.nan}), ANSWERS)
    assert predicted.pixels.tolist() == [0, 0]
    with pytest.raises(InvalidSubmissionError, match="single numbers"):
        FORM.check(pd.DataFrame({"id": ["a", "b"], "mask": [5, np.nan]}), ANSWERS)


def test_a_word_for_the_empty_mask_makes_gaps_invalid() -> None:
    form = MaskPerId(id="id", target="mask", size=6, empty="-")
    _, predicted, _ = form.align(pd.DataFrame({"id": ["a", "b"], "mask": ["-", "1 1"]}), ANSWERS)
    assert predicted.pixels.tolist() == [0, 1]
    with pytest.raises(InvalidSubmissionError, match="nothing in row 2"):
        form.check(pd.DataFrame({"id": ["a", "b"], "mask": ["-", None]}), ANSWERS)


def test_checking_does_not_look_at_masks_or_sizes_of_the_answers() -> None:
    assert list(FORM.keys(ANSWERS).columns) == ["id"]


def pixels_as_published(cell: str, size: int) -> list[int]:
    """The published decoder, drawn: what it does with numbers that only Python reads."""
    picture = np.zeros(size, dtype=bool)
    numbers = np.array([int(word) for word in cell.split()])
    starts, lengths = numbers[::2] - 1, numbers[1::2]
    for first, last in zip(starts, starts + lengths, strict=False):
        picture[first:last] = True
    return (np.flatnonzero(picture) + 1).tolist()


@pytest.mark.parametrize(
    "cell",
    [
        "+3 2 +7 1",
        "3\u00a02\u20037 1",
        "1_0 0_2",
        "٣ 2",
        "9223372036854775807 5",
        "99999999999999999999 5",
        "1 9223372036854775807",
        "2 9223372036854775807",
        "3 2 99999999999999999999 4",
    ],
)
def test_numbers_that_only_python_reads_are_scored_with_a_warning(cell: str) -> None:
    runs, warnings = read_runs_as_published(texts_of([cell]), np.array([12]))
    assert runs.pixels(1).tolist() == [len(pixels_as_published(cell, 12))]
    assert len(warnings) == 1
    with pytest.raises(InvalidSubmissionError, match="expected integers"):
        read_runs(texts_of([cell]), np.array([12]))


@pytest.mark.parametrize(
    "cell", ["+0 2", "-1 2", "+7 2 3 1", "+1 5 3 5", "+1 1 3 1 5", "1_ 2", "+x"]
)
def test_odd_numbers_do_not_excuse_a_malformed_mask(cell: str) -> None:
    with pytest.raises(InvalidSubmissionError, match="row 1"):
        read_runs_as_published(texts_of([cell]), np.array([12]))


def test_runs_may_overlap_past_the_last_pixel_where_they_are_cut_first() -> None:
    assert runs_of("+8 9 11 2", cut=10) == [8, 9, 11, 2]
    with pytest.raises(ValueError, match="overlap"):
        runs_of("+8 9 11 2")
