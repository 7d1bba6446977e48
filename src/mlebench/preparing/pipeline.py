"""Preparing several competitions at once, each in a process of its own.

What one of them does wrong (a full disk, a bug, all the memory) costs that one and nothing else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import BenchError
from mlebench.preparing.options import PrepareOptions
from mlebench.preparing.presence import needs_download
from mlebench.preparing.readiness import PreparationOutcome, ensure_prepared
from mlebench.system.children import die_with_parent

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue


@dataclass(frozen=True)
class PreparationTask:
    """One competition and how to prepare it."""

    competition_id: str
    options: PrepareOptions


@dataclass(frozen=True)
class Event:
    """What a competition is at."""

    competition_id: str
    phase: str
    done: int = 0
    total: int = 0


Watcher = Callable[[Event], None]


def prepare_many(
    tasks: Sequence[PreparationTask],
    catalogue: Catalogue,
    *,
    jobs: int = 1,
    on_event: Watcher = lambda event: None,
    on_done: Callable[[PreparationOutcome], None] = lambda outcome: None,
) -> list[PreparationOutcome]:
    """Prepare all; the outcomes keep the order of the tasks."""
    if len(tasks) == 1:
        outcome = _prepare(tasks[0], catalogue, on_event)
        on_done(outcome)
        return [outcome]
    with _workers(tasks, catalogue, jobs, on_event) as pool:
        futures = [pool.schedule(_work, (task, catalogue)) for task in tasks]
        by_future = dict(zip(futures, tasks, strict=True))
        outcomes: dict[str, PreparationOutcome] = {}
        for future in _as_completed(futures):
            outcome = _outcome(by_future[future], future)
            outcomes[outcome.competition_id] = outcome
            on_done(outcome)
    return [outcomes[task.competition_id] for task in tasks]


def _as_completed(futures: list[Any]) -> Iterator[Any]:
    from concurrent.futures import as_completed

    return as_completed(futures)


def _outcome(task: PreparationTask, future: Any) -> PreparationOutcome:
    error = future.exception()
    if error is None:
        outcome: PreparationOutcome = future.result()
        return outcome
    if isinstance(error, BenchError):
        return PreparationOutcome(task.competition_id, "failed", str(error), error.hint)
    if type(error).__name__ == "ProcessExpired":
        why = "its process was ended from outside, perhaps for want of memory"
    else:
        why = f"a fault of ours: {type(error).__name__}: {error}"
    return PreparationOutcome(
        task.competition_id, "failed", why, "with --debug and this one alone: the trace"
    )


def _prepare(task: PreparationTask, catalogue: Catalogue, watcher: Watcher) -> PreparationOutcome:
    competition = catalogue.get_competition(task.competition_id)

    def report(phase: str, done: int = 0, total: int = 0) -> None:
        watcher(Event(task.competition_id, phase, done, total))

    return ensure_prepared(competition, task.options, report)


@contextmanager
def _workers(
    tasks: Sequence[PreparationTask], catalogue: Catalogue, jobs: int, on_event: Watcher
) -> Iterator[Any]:
    """A pool of processes, and a thread that hands on what they report."""
    from multiprocessing import get_context

    from pebble import ProcessPool

    context = get_context("spawn")
    events = context.Queue()
    # One process more than may prepare: it downloads the next one meanwhile.
    extra = any(_needs_download(task, catalogue) for task in tasks)
    pool: Any = ProcessPool(
        max_workers=min(len(tasks), jobs + extra),
        context=context,
        initializer=_start_worker,
        initargs=(events, context.Semaphore(jobs)),
    )
    pump = threading.Thread(target=_hand_on, args=(events, on_event), daemon=True)
    pump.start()
    try:
        with pool:
            yield pool
    except BaseException:
        pool.stop()
        pool.join()
        raise
    finally:
        events.put(None)
        pump.join()


def _needs_download(task: PreparationTask, catalogue: Catalogue) -> bool:
    if task.options.rehearsal or task.options.archive:
        return False
    return needs_download(catalogue.get_competition(task.competition_id))


def _hand_on(events: Any, on_event: Watcher) -> None:
    while (event := events.get()) is not None:
        on_event(event)


_events: Any = None
_slots: Any = None


def _start_worker(events: Any, slots: Any) -> None:
    global _events, _slots
    die_with_parent()
    _events, _slots = events, slots


def _work(task: PreparationTask, catalogue: Catalogue) -> PreparationOutcome:
    """Runs in a worker; downloading takes no slot, preparing does."""
    has_slot = False

    def watcher(event: Event) -> None:
        nonlocal has_slot
        if event.phase == "preparing" and not has_slot:
            _slots.acquire()
            has_slot = True
        _events.put(event)

    try:
        return _prepare(task, catalogue, watcher)
    finally:
        if has_slot:
            _slots.release()
