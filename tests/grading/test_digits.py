"""Numbers parsed many at once are those that Python reads."""

from __future__ import annotations

import random

import numpy as np
import pytest

from mlebench.grading import digits
from mlebench.grading.digits import find_numbers, short_numbers


def as_bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


@pytest.mark.parametrize("block", [20, 64, 1 << 17])
def test_numbers_of_any_length_and_spacing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digits, "BLOCK", block)
    draw = random.Random(1)
    for gaps in ([" "], [" ", "\n", "  ", " \n\n"]):
        words = [str(draw.randrange(10 ** draw.randrange(1, 19))) for _ in range(500)]
        text = "".join(word + draw.choice(gaps) for word in words)
        for start in ("", "\n "):
            found = find_numbers(as_bytes(start + text))
            assert found.values.tolist() == [int(word) for word in words]
            assert all((start + text)[place].isdigit() for place in found.places)


@pytest.mark.parametrize("text", ["1 x 2 ", "1 -2 ", "1.5 ", "1234567890123456789 ", "é ", "1:2 "])
def test_other_words_are_found(text: str) -> None:
    assert find_numbers(as_bytes(text)).wrong is not None


def test_short_numbers_are_whole_or_nothing() -> None:
    def parsed(*words: str) -> list[int] | None:
        lengths = np.array([len(word) for word in words])
        found = short_numbers(as_bytes("".join(words)), np.cumsum(lengths) - lengths, lengths)
        return None if found is None else found.tolist()

    assert parsed("0", "12", "00345", "99999999") == [0, 12, 345, 99999999]
    for wrong in ("", "1.0", "-1", "+1", "1e3", "123456789", "1/", "1:", "\x00", "a"):
        assert parsed("1", wrong) is None
