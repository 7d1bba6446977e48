"""Run lengths whose numbers only Python reads: signs, underscores, any digits, any size."""

from __future__ import annotations

from itertools import pairwise

LARGEST = 2**63 - 1
FAR = 10**15
"""Past the last pixel of any picture."""

LONGEST_BROADCAST = 3


def runs_of(text: str, cut: int | None = None) -> list[int]:
    """Alternating starts and lengths as the published decoder reads them, without runs far outside.

    Raises ValueError for a mask that it refuses.

    Args:
        cut: the pixel from which on runs may overlap.
    """
    numbers = [int(word) for word in text.split()]
    starts, lengths = numbers[::2], numbers[1::2]
    if min(numbers, default=1) < 1 or starts != sorted(starts):
        raise ValueError("a start or length below 1, or starts that do not ascend")
    if len(starts) > len(lengths):
        if len(numbers) > LONGEST_BROADCAST:
            raise ValueError("an odd count of numbers")
        # A lone number marks nothing, and in three numbers both runs have the one length.
        lengths = lengths * len(starts)
        starts = starts[: len(lengths)]
    runs = [run for run in zip(starts, lengths, strict=True) if _is_inside(*run, numbers)]
    for (start, length), (following, _) in pairwise(runs):
        end = start - 1 + length
        if following - 1 < (end if cut is None else min(end, cut)):
            raise ValueError("runs that overlap")
    return [number for start, length in runs for number in (start, min(length, FAR))]


def _is_inside(start: int, length: int, numbers: list[int]) -> bool:
    """Numbers of 64 bits are added as such, so that an end may turn negative: nothing is marked."""
    is_wrapped = max(numbers) <= LARGEST < start - 1 + length
    return start < FAR and not is_wrapped
