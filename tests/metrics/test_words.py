"""Metrics on words, against a few lines of plain Python, on odd texts."""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.metrics import (
    kendall_tau,
    label_set_micro_f1,
    lenient_word_jaccard,
    list_error_rate,
    mean_average_precision_at,
    mean_levenshtein_distance,
    text_accuracy,
    word_jaccard,
)
from mlebench.metrics.words import PlainWords, as_arrow, key_of_word, keys_of_words

WORDS = ["a", "b", "B", "0", "00", "é", "ab", "İ", "Σ", "ΑΣ", "हिन्दी", "\ufeff", "\u200b", "\x1b"]
WORDS += ["x" * 8, "x" * 9, "X" * 9, "x" * 40, "y" + "x" * 39, "ab\0", "\0", "🙂", "漢字", "naïve"]
WORDS += ["long words"]

any_text = st.text(
    st.sampled_from("ab01 \t\v\x1c\x85\u2003éΣİ漢🙂\0") | st.characters(codec="utf-8")
)
of_words = st.lists(
    st.sampled_from(WORDS) | st.sampled_from(["a", "b", "0"]) | st.sampled_from([*" \n\u3000"])
).map(" ".join)
texts = any_text | of_words
rows = st.lists(st.tuples(texts, texts) | texts.map(lambda text: (text, text)), min_size=1)


def edits(true: Any, predicted: Any) -> int:
    row = list(range(len(predicted) + 1))
    for k, symbol in enumerate(true, 1):
        corner, row[0] = row[0], k
        for j, other in enumerate(predicted, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (symbol != other))
    return row[-1]


@settings(deadline=None)
@given(rows)
def test_label_sets(rows: list[tuple[str, str]]) -> None:
    labels = {word for true, _ in rows for word in true.split()}
    sets = [(set(true.split()), set(predicted.split()) & labels) for true, predicted in rows]
    common = sum(len(true & predicted) for true, predicted in sets)
    both = sum(len(true) + len(predicted) for true, predicted in sets)
    assert label_set_micro_f1(*zip(*rows, strict=True)) == (2 * common / both if both else 0)


@settings(deadline=None)
@given(rows, st.integers(1, 6))
def test_average_precision(rows: list[tuple[str, str]], k: int) -> None:
    expected = []
    for true, predicted in rows:
        right, guesses = set(true.split(" ")), predicted.split(" ")[:k]
        ranks = sorted(guesses.index(word) + 1 for word in right if word in guesses)
        gained = sum(hits / rank for hits, rank in enumerate(ranks, 1))
        expected.append(gained / min(len(right), k))
    assert mean_average_precision_at(k)(*zip(*rows, strict=True)) == np.mean(expected)


@settings(deadline=None)
@given(st.lists(st.tuples(st.permutations(range(7)), of_words | any_text), min_size=1))
def test_orders(lists: list[tuple[list[int], str]]) -> None:
    swapped, pairs, true, predicted = 0, 0, ["a b"], ["a b"]
    for order, text in lists:
        words = list(dict.fromkeys(text.split()))[:7]
        places = [place for place in order if place < len(words)]
        true.append(" ".join(words))
        predicted.append("\u2028".join(words[place] for place in places))
        pairs += len(words) * (len(words) - 1)
        swapped += sum(a > b for k, a in enumerate(places) for b in places[k + 1 :])
    assert kendall_tau(true, predicted) == 1 - 4 * swapped / (pairs + 2)


@settings(deadline=None)
@given(rows)
def test_edits_of_characters(rows: list[tuple[str, str]]) -> None:
    expected = sum(edits(true, predicted) for true, predicted in rows) / len(rows)
    assert mean_levenshtein_distance(*zip(*rows, strict=True)) == expected


@settings(deadline=None)
@given(rows)
def test_edits_of_words(rows: list[tuple[str, str]]) -> None:
    rows = [("a", "b"), *rows]
    expected = sum(edits(true.split(), predicted.split()) for true, predicted in rows)
    length = sum(len(true.split()) for true, _ in rows)
    assert list_error_rate(*zip(*rows, strict=True)) == expected / length


@settings(deadline=None)
@given(rows)
def test_shares_of_words(rows: list[tuple[str, str]]) -> None:
    sets = [[set(side.lower().split()) for side in row] for row in rows]
    expected = [len(a & b) / max(len(a | b), 1) for a, b in sets]
    assert lenient_word_jaccard(*zip(*rows, strict=True)) == np.mean(expected)
    if all(a | b for a, b in sets):
        assert word_jaccard(*zip(*rows, strict=True)) == np.mean(expected)


@settings(deadline=None)
@given(rows)
def test_equal_texts(rows: list[tuple[str, str]]) -> None:
    expected = sum(true == predicted for true, predicted in rows) / len(rows)
    assert text_accuracy(*zip(*rows, strict=True)) == expected


@pytest.mark.parametrize("alphabet", ["ab", "aé漢🙂"])
@pytest.mark.parametrize("size", [1, 63, 64, 65, 128, 129, 255, 256, 257, 600])
def test_edits_of_long_texts(alphabet: str, size: int) -> None:
    draw = random.Random(size)
    texts = ["".join(draw.choices(alphabet, k=k)) for k in (size, 1, 64, 100, 320, 512)]
    for text in texts:
        expected = edits(texts[0], text)
        assert mean_levenshtein_distance(texts[:1], [text]) == expected
        assert mean_levenshtein_distance([text], texts[:1]) == expected
        assert list_error_rate([" ".join(texts[0])], [" ".join(text)]) == expected / size


def test_many_words_in_one_cell() -> None:
    numbers = [str(k) for k in range(20_000)]
    text, reverse = " ".join(numbers), " ".join(numbers[::-1])
    assert kendall_tau([text], [reverse]) == -1
    assert label_set_micro_f1([text, "x"], [reverse + " x", ""]) == 2 * 20_000 / 40_002
    assert word_jaccard([text], [reverse + " x"]) == 20_000 / 20_001
    assert mean_average_precision_at(5)([text], [reverse]) == 1
    assert list_error_rate(["0 1 2"], [text]) == (20_000 - 3) / 3


def test_texts_in_chunks_of_different_size() -> None:
    true = pa.chunked_array([["a b", "c"], [], ["d", "e f", "g"]], pa.large_string())
    predicted = pa.chunked_array([["a b"], ["c", "d"], ["e", "x g"]], pa.large_string())
    columns = [pd.arrays.ArrowStringArray(side) for side in (true, predicted)]
    assert text_accuracy(*columns) == 3 / 5
    assert text_accuracy(*(column[2:] for column in columns)) == 1 / 3
    assert mean_levenshtein_distance(*columns) == 4 / 5
    assert label_set_micro_f1(*columns) == 2 * 6 / (7 + 6)


@pytest.mark.long
def test_every_white_space_and_no_other_character_ends_a_word() -> None:
    texts = [f"x{chr(k)}y" for k in range(1, sys.maxunicode) if not 0xD800 <= k <= 0xDFFF]
    spaces = [text for text in texts if text[1].isspace()]
    assert list_error_rate(spaces, ["x y"] * len(spaces)) == 0
    others = [text for text in texts if not text[1].isspace()]
    assert list_error_rate(others, ["x y"] * len(others)) == 2


@pytest.mark.long
def test_every_character_has_pythons_lower_case() -> None:
    texts = [f"A{chr(k)}B" for k in range(1, sys.maxunicode) if not 0xD800 <= k <= 0xDFFF]
    assert word_jaccard(texts, [text.lower() for text in texts]) == 1


@pytest.mark.long
def test_keys_of_words_with_every_character() -> None:
    characters = [chr(k) for k in range(sys.maxunicode) if not 0xD800 <= k <= 0xDFFF]
    texts = [f"1{character}2" for character in characters]
    counts, keys = keys_of_words(texts)
    assert counts.tolist() == [len(text.split()) for text in texts]
    words = [word for text in texts for word in text.split()]
    assert len(set(keys.tolist())) == len(set(words))
    # Alone, so that no other text decides how a plain one is read.
    for text, count in zip(texts[:256], counts, strict=False):
        assert keys_of_words([text])[0].tolist() == [count]


@pytest.mark.parametrize("text", ["", " ", "a", " a", "a ", "a  b", "12345678 123456789 a b"])
def test_keys_of_plain_words_are_those_of_any_words(text: str) -> None:
    counts, keys = keys_of_words([text, text])
    assert counts.tolist() == 2 * [len(text.split())]
    assert keys.tolist() == 2 * [key_of_word(word) for word in text.split()]


def test_single_blanks() -> None:
    for text in ("a", "a b", ""):
        plain = PlainWords.of(as_arrow(["a", text, ""]))
        assert plain is not None
        assert plain.has_single_blanks()
    for text in (" ", " a", "a ", "a  b"):
        plain = PlainWords.of(as_arrow(["a", text, ""]))
        assert plain is not None
        assert not plain.has_single_blanks()


@pytest.mark.parametrize("word", ["0", "7", "00012", "99999999", "12345678"])
def test_whole_numbers(word: str) -> None:
    plain = PlainWords.of(as_arrow([f"{word} 3", f"b {word}"]))
    assert plain is not None
    assert plain.whole_numbers(slice(0, None, 3)).tolist() == [int(word)] * 2
    assert plain.texts(slice(None)).to_pylist() == [word, "3", "b", word]


@pytest.mark.parametrize("word", ["123456789", "-1", "+1", "1.", "1_0", ":", "/", "0x1", "nan"])
def test_other_words_are_no_whole_numbers(word: str) -> None:
    plain = PlainWords.of(as_arrow(["5 6", f"5 {word}"]))
    assert plain is not None
    assert plain.whole_numbers() is None
