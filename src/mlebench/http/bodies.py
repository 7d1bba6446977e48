"""Memory for the bodies of requests: a few large pieces are used again and stay in the caches."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

SMALLEST, LARGEST = 64 << 10, 16 << 20
KEPT = 4

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
FREED_BYTES, FROM_HEAP_BYTES = 256 << 20, 32 << 20


class Bodies:
    """Lends byte arrays; one that comes back is the first to be lent again."""

    def __init__(self) -> None:
        self._spare: list[bytearray] = []

    def take(self, length: int) -> bytearray:
        """An array of this length whose content is left over from anything: fill all of it."""
        if SMALLEST <= length <= LARGEST and self._spare:
            body = self._spare.pop()
            del body[length:]
            body.extend(bytes(length - len(body)))
            return body
        return bytearray(length)

    def give_back(self, body: bytearray) -> None:
        """Whoever lent this array needs it no more; others may still hold a view of it."""
        if SMALLEST <= len(body) <= LARGEST and len(self._spare) < KEPT:
            # Such an array cannot change its size, and is theirs.
            with suppress(BufferError):
                del body[-1:]
                self._spare.append(body)


def keep_freed_memory() -> None:
    """For a process that only validates: a table in fresh pages takes a third longer to read."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if sys.platform == "linux" and mallopt:
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_MMAP_THRESHOLD, FROM_HEAP_BYTES)
        mallopt(M_TRIM_THRESHOLD, FREED_BYTES)
