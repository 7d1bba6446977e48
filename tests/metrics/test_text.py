"""Metrics on texts, against cases worked by hand."""

from __future__ import annotations

import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics import (
    lenient_word_jaccard,
    mean_levenshtein_distance,
    text_accuracy,
    word_jaccard,
)


def test_text_accuracy_wants_every_character() -> None:
    assert text_accuracy(["six feet", "a", "é", "nan"], ["six feet", "A", "é", "nan "]) == 0.5


def test_mean_levenshtein_distance() -> None:
    # kitten → sitting: k→s, e→i, +g; the second row differs in case only; the third is empty.
    assert mean_levenshtein_distance(["kitten", "Ab", "xyz"], ["sitting", "ab", ""]) == 7 / 3


def test_mean_levenshtein_distance_counts_characters_not_bytes() -> None:
    assert mean_levenshtein_distance(["naïve €5"], ["naive $5"]) == 2.0


def test_word_jaccard_is_the_mean_over_rows() -> None:
    # {a, b} and {a, c}: 1 of 3. {x} and {x}: 1 of 1, since case and repeats do not count.
    assert word_jaccard(["A b", "x X"], ["c a", "x"]) == pytest.approx((1 / 3 + 1) / 2)


def test_word_jaccard_of_the_truth_is_one() -> None:
    assert word_jaccard(["a b", "c"], ["a b", "c"]) == 1.0
    assert lenient_word_jaccard(["a b", "c", ""], ["a b", "c", ""]) == 2 / 3


def test_word_jaccard_lowers_case_as_python_does() -> None:
    # A sigma at the end of a word has a lower case of its own, and İ becomes two characters.
    assert word_jaccard(["ΟΔΟΣ İX"], ["οδος i̇x"]) == 1.0


def test_words_end_at_any_white_space() -> None:
    assert word_jaccard(["a\u00a0b\u2003c"], [" a b\tc\n"]) == 1.0


def test_rows_without_words() -> None:
    assert word_jaccard(["a", "b"], ["", "b"]) == 0.5
    assert lenient_word_jaccard(["", "b"], [" ", "b"]) == 0.5
    with pytest.raises(InvalidSubmissionError, match="no word"):
        word_jaccard(["", "b"], [" ", "b"])
