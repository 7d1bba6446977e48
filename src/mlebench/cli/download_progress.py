"""Progress of downloads if stderr is not a terminal: plain lines with rate and time left."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from mlebench.cli.progress import PLAIN_SECONDS

if TYPE_CHECKING:
    from mlebench.kaggle.download import OnBytes


def plain_progress(title: str) -> OnBytes:
    """The progress callback of one download; prints a line every few seconds."""
    start = last = time.monotonic()
    first: int | None = None

    def on_progress(done: int, total: int) -> None:
        nonlocal first, last
        now = time.monotonic()
        if first is None:
            first = done
        if now - last >= PLAIN_SECONDS:
            last = now
            line = progress_line(title, done, total, rate=(done - first) / (now - start))
            print(line, file=sys.stderr, flush=True)

    return on_progress


def progress_line(title: str, done: int, total: int, *, rate: float) -> str:
    """One line about the progress of a download.

    Args:
        rate: bytes per second.
    """
    left = f"{(total - done) / rate / 60:,.0f} min left" if rate else "stalled"
    return f"{title}: {done / 1e9:,.2f} of {total / 1e9:,.2f} GB, {rate / 1e6:,.1f} MB/s, {left}"
