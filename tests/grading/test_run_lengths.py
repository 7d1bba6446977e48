"""Masks as run lengths: what is read, what is refused, and that size costs nothing."""

import numpy as np
import pandas as pd
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.digits import BLOCK
from mlebench.grading.run_lengths import MaskPerId, MaskTexts, row_blocks


def runs(*cells: str | None) -> list[list[tuple[int, int]]]:
    """For each cell the runs as first pixel from 0 and pixel after the last."""
    masks = MaskTexts.of(pd.Series(cells, dtype=object)).masks()
    pairs = list(zip(masks.starts.tolist(), masks.ends.tolist(), strict=True))
    return [pairs[a:b] for a, b in zip(masks.first_run[:-1], masks.first_run[1:], strict=True)]


def test_pairs_of_start_and_length() -> None:
    assert runs("1 3 10 5", None, "  7\t1 ", " ") == [[(0, 3), (9, 14)], [], [(6, 7)], []]


def test_odd_counts_follow_the_published_decoder() -> None:
    assert runs("5", "3 2 20", "1 1", "4") == [[], [(2, 4), (19, 21)], [(0, 1)], []]


def test_numbers_of_any_length_up_to_18_digits() -> None:
    numbers = [7 * 10**k + k for k in range(1, 18)]
    cells = [f"{number} {number}" for number in numbers]
    assert runs(*cells) == [[(number - 1, 2 * number - 1)] for number in numbers]


def test_words_across_blocks_stay_whole() -> None:
    starts = np.arange(1, 60_000) * 1000
    cell = " ".join(f"{start} 17" for start in starts)
    assert len(cell) > 2 * BLOCK
    assert runs(cell) == [[(start - 1, start + 16) for start in starts.tolist()]]


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
        MaskTexts.of(pd.Series(["1 1", cell])).masks()
    assert "row 2" in str(refusal.value)


def test_touching_runs_and_runs_of_other_rows_do_not_overlap() -> None:
    assert runs("50 3 53 5", "1 100") == [[(49, 52), (52, 57)], [(0, 100)]]


def test_overlaps_past_the_end_do_not_count_after_a_cut() -> None:
    texts = MaskTexts.of(pd.Series(["1 4 100 7 103 9"]))
    assert texts.masks(sizes=[50]).areas().tolist() == [4]
    with pytest.raises(InvalidSubmissionError, match="overlap"):
        texts.masks(sizes=[200])


def test_blocks_cover_all_rows_and_follow_the_text() -> None:
    texts = MaskTexts.of(pd.Series(["1 1"] * 300_000))
    blocks = list(row_blocks(texts, texts))
    assert len(blocks) > 3
    assert [first for first, _ in blocks] == [0, *(last for _, last in blocks[:-1])]
    assert blocks[-1][1] == 300_000


FORM = MaskPerId(id="id", target="mask", size=("width", "height"))
ANSWERS = pd.DataFrame({"id": ["a", "b"], "mask": ["1 2", None], "width": 3.0, "height": 2})


def test_rows_are_aligned_and_cut_to_the_picture() -> None:
    submission = pd.DataFrame({"id": ["b", "a"], "mask": ["7 100000000000000", "2 99"]})
    truth, predicted = FORM.align(submission, ANSWERS)
    assert truth[0].areas().tolist() == [2, 0]
    assert predicted[0].areas().tolist() == [5, 0]


def test_a_column_of_gaps_is_fine_and_one_of_numbers_is_not() -> None:
    _, predicted = FORM.align(pd.DataFrame({"id": ["a", "b"], "mask": np.nan}), ANSWERS)
    assert predicted[0].areas().tolist() == [0, 0]
    with pytest.raises(InvalidSubmissionError, match="single numbers"):
        FORM.check(pd.DataFrame({"id": ["a", "b"], "mask": [5, np.nan]}), ANSWERS)


def test_a_word_for_the_empty_mask_makes_gaps_invalid() -> None:
    form = MaskPerId(id="id", target="mask", size=6, empty="-")
    _, predicted = form.align(pd.DataFrame({"id": ["a", "b"], "mask": ["-", "1 1"]}), ANSWERS)
    assert predicted[0].areas().tolist() == [0, 1]
    with pytest.raises(InvalidSubmissionError, match="nothing in row 2"):
        form.check(pd.DataFrame({"id": ["a", "b"], "mask": ["-", None]}), ANSWERS)


def test_checking_does_not_look_at_masks_or_sizes_of_the_answers() -> None:
    assert list(FORM.keys(ANSWERS).columns) == ["id"]
