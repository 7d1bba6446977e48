"""Progress of downloads on stderr, several at once, with rate and time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mlebench.cli.progress import PLAIN_SECONDS

if TYPE_CHECKING:
    from mlebench.kaggle.download import OnBytes


@contextmanager
def download_bars() -> Iterator[Callable[[str], OnBytes]]:
    """A function that creates the progress callback of a download from its title."""
    if not sys.stderr.isatty():
        yield _plain_lines
        return
    from rich import progress as parts
    from rich.console import Console

    columns = (
        parts.TextColumn("{task.description}"),
        parts.BarColumn(),
        parts.DownloadColumn(),
        parts.TransferSpeedColumn(),
        parts.TimeRemainingColumn(compact=True),
    )
    with parts.Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def new_bar(title: str) -> OnBytes:
            task = bars.add_task(title, total=None)

            def on_progress(done: int, total: int) -> None:
                bars.update(task, completed=done, total=total, visible=done < total)

            return on_progress

        yield new_bar


def _plain_lines(title: str) -> OnBytes:
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
