"""Work on blocks of rows in several threads: numpy and Arrow release the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

Block = TypeVar("Block")
Result = TypeVar("Result")


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def on_blocks(
    work: Callable[[Block], Result], blocks: Iterable[Block], workers: int | None = None
) -> Iterator[Result]:
    """The results in the order of the blocks, of which two per worker are held at a time.

    Args:
        workers: the number of threads; by default one per processor.
    """
    workers = workers or processors()
    waiting = iter(blocks)
    first = list(islice(waiting, 2 * workers))
    if len(first) == 1 or workers == 1:
        yield from map(work, chain(first, waiting))
        return
    with ThreadPoolExecutor(workers) as pool:
        running = [pool.submit(work, block) for block in first]
        try:
            while running:
                yield running.pop(0).result()
                running += [pool.submit(work, block) for block in islice(waiting, 1)]
        finally:
            for future in running:
                future.cancel()


def fill_blocks(work: Callable[[Block], object], blocks: Iterable[Block]) -> None:
    """The same for work that returns nothing, but fills arrays."""
    for _ in on_blocks(work, blocks):
        pass
