"""Files that were judged not long ago: equal bytes get the same verdict, and are compared whole."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from mlebench.validation.validator import Verdict

REMEMBERED_BYTES = 64 << 20
GLIMPSE_BYTES = 256

Glimpse = tuple[int, bytes, bytes, bytes]


@dataclass(frozen=True)
class Judged:
    """A file and what was said about it."""

    data: memoryview
    """Holds the request's body, which is then not used again."""

    verdict: Verdict
    size: int
    """Of that body."""

    is_plain: bool
    """It holds no CR, so that no boundary of a form can stand in it."""


class Recent:
    """As many files as there is room for; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._files: OrderedDict[Glimpse, list[Judged]] = OrderedDict()
        self._kept_bytes = 0

    def find(self, body: bytearray, place: slice) -> Judged | None:
        """The file that is equal to this part of a body; comparing is faster than hashing."""
        for judged in self._files.get(glimpse(body, place), ()):
            # Through the array behind it: views are compared one element at a time.
            if body.startswith(judged.data, place.start):
                return judged
        return None

    def add(self, body: bytearray, place: slice, verdict: Verdict) -> Judged:
        """Remember a verdict from now on."""
        is_plain = body.find(b"\r", place.start, place.stop) < 0
        judged = Judged(memoryview(body)[place], verdict, len(body), is_plain)
        if len(body) <= REMEMBERED_BYTES and not self.find(body, place):
            self._files.setdefault(glimpse(body, place), []).append(judged)
            self._kept_bytes += len(body)
        while self._kept_bytes > REMEMBERED_BYTES:
            _, forgotten = self._files.popitem(last=False)
            self._kept_bytes -= sum(judged.size for judged in forgotten)
        return judged


def glimpse(body: bytearray, place: slice) -> Glimpse:
    """Enough of the bytes to tell most uploads apart without reading them."""
    middle = (place.start + place.stop) // 2
    return (
        place.stop - place.start,
        bytes(body[place.start : min(place.start + GLIMPSE_BYTES, place.stop)]),
        bytes(body[middle : min(middle + GLIMPSE_BYTES, place.stop)]),
        bytes(body[max(place.stop - GLIMPSE_BYTES, place.start) : place.stop]),
    )
