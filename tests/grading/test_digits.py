"""Numbers parsed many at once are those that Python reads."""

from __future__ import annotations

import numpy as np

from mlebench.grading.digits import short_numbers


def as_bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


def test_short_numbers_are_whole_or_nothing() -> None:
    def parsed(*words: str) -> list[int] | None:
        lengths = np.array([len(word) for word in words])
        found = short_numbers(as_bytes("".join(words)), np.cumsum(lengths) - lengths, lengths)
        return None if found is None else found.tolist()

    assert parsed("0", "12", "00345", "99999999") == [0, 12, 345, 99999999]
    for wrong in ("", "1.0", "-1", "+1", "1e3", "123456789", "1/", "1:", "\x00", "a"):
        assert parsed("1", wrong) is None
