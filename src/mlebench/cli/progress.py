"""Progress on stderr: a bar on a terminal, else plain lines from time to time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mlebench.cli.output import live_console

PLAIN_SECONDS = 10


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[], None]]:
    """Returns a function to be called once for each finished item."""
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
