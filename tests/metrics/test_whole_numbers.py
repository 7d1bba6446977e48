"""Whole numbers in texts against Python's own reading, also across the blocks that are read."""

from __future__ import annotations

from random import Random

import pytest

from mlebench.metrics import whole_numbers
from mlebench.metrics.whole_numbers import read_whole_numbers
from mlebench.metrics.words import as_arrow


def random_text(r: Random) -> str:
    words = (str(r.randrange(10 ** r.randrange(1, 17))).zfill(r.randrange(1, 9)) for _ in range(9))
    return "".join(" " * r.randrange(3) + word + " " for word in words) if r.random() < 0.8 else ""


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 17])
def test_numbers_and_counts(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_numbers, "BYTES_AT_ONCE", block)
    r = Random(14)
    texts = [random_text(r) for _ in range(40)]
    found = read_whole_numbers(as_arrow(texts))
    assert found is not None
    lists = [[int(word) for word in text.split()] for text in texts]
    assert found[0].tolist() == [number for numbers in lists for number in numbers]
    assert found[1].tolist() == [len(numbers) for numbers in lists]


@pytest.mark.parametrize("word", ["-1", "+1", "1.0", "1_0", "x", "1\t2", "٣", "1é", "1" * 17])
def test_other_words_are_left_to_the_caller(word: str) -> None:
    assert read_whole_numbers(as_arrow(["5 6", f"5 {word}", ""])) is None
