"""Metrics on lists of words, against cases worked by hand."""

from __future__ import annotations

import random

import pytest
from sklearn.metrics import f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics import (
    kendall_tau,
    label_set_micro_f1,
    list_error_rate,
    lists,
    mean_average_precision_at,
    word_set_mean_f1,
    word_set_micro_f1,
)


def test_label_set_micro_f1() -> None:
    # Right: a, c. Missed: b. False alarms: a in the second row; d is never true and costs nothing.
    assert label_set_micro_f1(["a b", "c"], ["a d", "a c c"]) == 2 * 2 / (2 * 2 + 1 + 1)


def test_label_set_micro_f1_without_anything_right() -> None:
    assert label_set_micro_f1(["a", "b"], ["b", ""]) == 0.0
    assert label_set_micro_f1(["a", "b"], ["", "z"]) == 0.0


def test_label_set_micro_f1_with_rows_that_have_no_true_label() -> None:
    assert label_set_micro_f1(["", "a"], ["a", "a"]) == 2 / 3


def test_label_set_micro_f1_of_several_blocks_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "PAIRS_AT_ONCE", 6)
    # Right: a, c, a. Missed: b, b. False alarm: c.
    assert label_set_micro_f1(["a b", "c", "a b"], ["a", "c", "c  a"]) == 2 * 3 / (2 * 3 + 2 + 1)


def test_word_set_micro_f1_counts_words_that_are_no_label() -> None:
    # Right: a, c. Missed: b. False alarms: d in the first row, a in the second.
    assert word_set_micro_f1(["a b", "c"], ["a d", "a c c"]) == 2 * 2 / (2 * 2 + 2 + 1)
    assert word_set_micro_f1(["a", "b"], ["", "z"]) == 0.0


def test_word_set_mean_f1() -> None:
    # First row: 1 right, 1 missed, 1 false: 0.5. Second: 1 right, 2 false: 0.5. Third: 0.
    found = word_set_mean_f1(["a b", "c", "a"], ["a d", "c a b c", ""])
    assert found == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert word_set_mean_f1(["a b", ""], ["b a", ""]) == 1


def test_word_set_f1_is_that_of_scikit_learn() -> None:
    r = random.Random(4)
    truth, guesses = (
        [" ".join(r.sample("abcdef", r.randint(1, 4))) for _ in range(50)] for _ in range(2)
    )
    matrices = [
        MultiLabelBinarizer(classes=list("abcdef")).fit_transform(map(str.split, side))
        for side in (truth, guesses)
    ]
    assert word_set_mean_f1(truth, guesses) == pytest.approx(f1_score(*matrices, average="samples"))
    assert word_set_micro_f1(truth, guesses) == pytest.approx(f1_score(*matrices, average="micro"))


def test_average_precision_with_one_true_word_is_one_over_its_rank() -> None:
    score = mean_average_precision_at(5)
    assert score(["7"] * 4, ["7", "1 7 7", "1 2 3 4 7", "1 2 3 4 5 7"]) == (1 + 1 / 2 + 1 / 5) / 4


def test_average_precision_counts_an_empty_guess_between_two_blanks() -> None:
    assert mean_average_precision_at(5)(["7", "7"], ["1  7", " 7"]) == (1 / 3 + 1 / 2) / 2


def test_one_true_word_counts_by_its_first_place_among_the_first_guesses() -> None:
    truth = ["7", "7", "7", "7", "7", "new_whale"]
    guesses = ["7 7 1", "1 2 7 7", "1 2 3 4 5 7", "", "77 17 7", "w_1 new_whale"]
    expected = [1, 1 / 3, 0, 0, 1 / 3, 1 / 2]
    for rows in (slice(0, 5), slice(0, 6)):
        score = mean_average_precision_at(5)(truth[rows], guesses[rows])
        assert score == pytest.approx(sum(expected[rows]) / len(expected[rows]))


def test_average_precision_with_several_true_words() -> None:
    score = mean_average_precision_at(3)
    # Ranks 1 and 3 are right, rank 2 repeats: (1/1 + 2/3) of the two true words.
    assert score(["b c"], ["c c b"]) == (1 + 2 / 3) / 2
    # Four true words, of which three can be guessed.
    assert score(["a b c d"], ["d x a"]) == (1 + 2 / 3) / 3
    # Repeats in the truth count once.
    assert score(["a a"], ["a"]) == 1.0


def test_kendall_tau_sums_pairs_over_lists_of_different_length() -> None:
    # c a b has two pairs the wrong way round, e d one; T = 3·2 + 2·1.
    assert kendall_tau(["a b c", "d e"], ["c a b", "e d"]) == 1 - 4 * 3 / 8
    assert kendall_tau(["a b c", "a b"], ["a b c", "a b"]) == 1.0
    assert kendall_tau(["a b c", "b a"], ["c b a", "a b"]) == -1.0


def test_kendall_tau_counts_as_pairs_compared_one_by_one() -> None:
    draw = random.Random(1)
    true = [[str(k) for k in range(draw.choice([1, 2, 3, 9, 40, 41, 200]))] for _ in range(60)]
    predicted = [draw.sample(cells, len(cells)) for cells in true]
    swapped = sum(
        int(cells[i]) > int(cells[j])
        for cells in predicted
        for i in range(len(cells))
        for j in range(i + 1, len(cells))
    )
    pairs = sum(len(cells) * (len(cells) - 1) for cells in true)
    score = kendall_tau([" ".join(cells) for cells in true], [" ".join(c) for c in predicted])
    assert score == pytest.approx(1 - 4 * swapped / pairs, abs=1e-15)


def test_kendall_tau_pairs_equal_words_in_their_order() -> None:
    # The a that comes first is the first one: b moves before it, and c before the second.
    assert kendall_tau(["a b a c"], ["b a c a"]) == 1 - 4 * 2 / 12
    with pytest.raises(InvalidSubmissionError, match="each exactly once"):
        kendall_tau(["a b a"], ["a b b"])


@pytest.mark.parametrize("wrong", ["a b", "a b x", "a b b", "", "a b c c"])
def test_kendall_tau_refuses_what_is_no_permutation(wrong: str) -> None:
    with pytest.raises(InvalidSubmissionError):
        kendall_tau(["d e", "a b c"], ["e d", wrong])


def test_list_error_rate() -> None:
    # 1 2 3 → 1 3: one deletion. 4 → 5 6: one replaced, one added. Four true words.
    assert list_error_rate(["1 2 3", "4"], ["1 3", "5  6"]) == 3 / 4
    assert list_error_rate(["1 2", "3"], ["", "3"]) == 2 / 3
