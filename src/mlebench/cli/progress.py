"""Progress on stderr: a bar on a terminal, else plain lines from time to time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.cli.output import live_console

if TYPE_CHECKING:
    from mlebench.kaggle.download import OnBytes

PLAIN_SECONDS = 10


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[], None]]:
    """Yields a function to be called once for each finished item."""
    if sys.stderr.isatty():
        from rich.progress import Progress

        with Progress(console=live_console(), transient=True) as bar:
            task = bar.add_task(title, total=total)
            yield lambda: bar.advance(task)
        return
    done, last = 0, time.monotonic()

    def plain_step() -> None:
        nonlocal done, last
        done += 1
        if time.monotonic() - last >= PLAIN_SECONDS:
            last = time.monotonic()
            print(f"{title}: {done} of {total}", file=sys.stderr, flush=True)

    yield plain_step


def plain_progress(title: str) -> OnBytes:
    """The progress callback of one download, without a terminal: a line every few seconds."""
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
