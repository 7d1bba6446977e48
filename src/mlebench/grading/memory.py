"""Memory that stays with the process while it grades.

Grading makes and drops large arrays by the hundred. The C library would give each back to the
kernel, which clears the pages anew for the next: that costs far more than the arithmetic.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

TRIM_THRESHOLD, MMAP_THRESHOLD, MMAP_MAX, ARENA_MAX = -1, -3, -4, -8
"""Numbers of the settings in glibc's <malloc.h>."""

KEEP_ALL = {TRIM_THRESHOLD: 2**31 - 1, MMAP_MAX: 0, ARENA_MAX: 1}
USUAL = {TRIM_THRESHOLD: 64 << 20, MMAP_THRESHOLD: 32 << 20, MMAP_MAX: 1 << 16}
"""What glibc arrives at by itself in a program that uses large arrays."""


@contextmanager
def kept_memory() -> Iterator[None]:
    """Reuse freed memory inside, give it back afterwards; without glibc nothing changes."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt") or not hasattr(library, "malloc_trim"):
        yield
        return
    _set(library, KEEP_ALL)
    try:
        yield
    finally:
        _set(library, USUAL)
        library.malloc_trim(0)


def _set(library: ctypes.CDLL, values: dict[int, int]) -> None:
    for setting, value in values.items():
        library.mallopt(setting, value)
