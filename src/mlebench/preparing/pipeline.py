"""Prepares several competitions at once, each in its own process.

A failure of one of them (a full disk, a bug, lack of memory) does not affect the others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from mlebench.errors import BenchError
from mlebench.preparing.on_disk import needs_download
from mlebench.preparing.options import OnProgress, PrepareOptions, silent
from mlebench.preparing.prepare import UNLIMITED, ensure_prepared
from mlebench.system.children import die_with_parent

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Semaphore

    from mlebench.catalogue import Catalogue, LocatedCompetition
    from mlebench.records.manifest import Manifest


@dataclass(frozen=True)
class PreparationTask:
    """One competition and how to prepare it."""

    competition_id: str
    options: PrepareOptions


@dataclass(frozen=True)
class PreparationProgress:
    """The phase that the preparation of one competition has reached."""

    competition_id: str
    phase: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class PreparationOutcome:
    """The result of one task."""

    competition_id: str
    state: Literal["ok", "skipped", "failed"]
    message: str | None = None
    """Why it was skipped or failed."""

    hint: str | None = None
    files: int = 0
    bytes: int = 0
    rows: int | None = None
    """Of the largest public table and the answers together: about as many as in the raw table."""

    is_rehearsal: bool = False
    seconds: float = 0.0
    warnings: list[str] = field(default_factory=list)


OnPreparationProgress = Callable[[PreparationProgress], None]


def prepare_many(
    tasks: Sequence[PreparationTask],
    catalogue: Catalogue,
    *,
    jobs: int = 1,
    on_progress: OnPreparationProgress = lambda progress: None,
    on_done: Callable[[PreparationOutcome], None] = lambda outcome: None,
) -> list[PreparationOutcome]:
    """Prepare all; the outcomes are in the order of the tasks."""
    if len(tasks) == 1:
        outcome = _prepare_task(tasks[0], catalogue, on_progress, UNLIMITED)
        on_done(outcome)
        return [outcome]
    with _workers(tasks, catalogue, jobs, on_progress) as pool:
        by_future = {pool.schedule(_work, (task, catalogue)): task for task in tasks}
        outcomes: dict[str, PreparationOutcome] = {}
        for future in as_completed(by_future):
            outcome = _outcome_of(by_future[future], future)
            outcomes[outcome.competition_id] = outcome
            on_done(outcome)
    return [outcomes[task.competition_id] for task in tasks]


def prepare_one(
    competition: LocatedCompetition,
    options: PrepareOptions,
    on_progress: OnProgress = silent,
    slot: AbstractContextManager[object] = UNLIMITED,
) -> PreparationOutcome:
    """Prepare a competition unless it is prepared as requested; a failure is an outcome as well.

    Args:
        slot: see `ensure_prepared`.
    """
    start = time.monotonic()
    try:
        manifest, message = ensure_prepared(competition, options, on_progress, slot)
    except BenchError as error:
        return PreparationOutcome(
            competition.id, "failed", str(error), error.hint, seconds=_since(start)
        )
    return PreparationOutcome(
        competition.id,
        "skipped" if message else "ok",
        message,
        files=manifest.file_count,
        bytes=manifest.total_bytes,
        rows=None if message else _rows(competition, manifest),
        is_rehearsal=manifest.is_rehearsal,
        seconds=_since(start),
        warnings=manifest.warnings,
    )


def _prepare_task(
    task: PreparationTask,
    catalogue: Catalogue,
    on_progress: OnPreparationProgress,
    slot: AbstractContextManager[object],
) -> PreparationOutcome:
    def on_phase(phase: str, done: int = 0, total: int = 0) -> None:
        on_progress(PreparationProgress(task.competition_id, phase, done, total))

    competition = catalogue.get_competition(task.competition_id)
    return prepare_one(competition, task.options, on_phase, slot)


def _since(start: float) -> float:
    return round(time.monotonic() - start, 3)


def _rows(competition: LocatedCompetition, manifest: Manifest) -> int | None:
    rows = {name: facts["rows"] for name, facts in manifest.files.items() if "rows" in facts}
    largest = max((n for name, n in rows.items() if name.startswith("public/")), default=None)
    return None if largest is None else largest + rows.get(competition.definition.answers, 0)


def _outcome_of(task: PreparationTask, future: Future[PreparationOutcome]) -> PreparationOutcome:
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, BenchError):
        return PreparationOutcome(task.competition_id, "failed", str(error), error.hint)
    if type(error).__name__ == "ProcessExpired":
        why = "its process was killed, perhaps because memory ran out"
    else:
        why = f"a bug in mlebench: {type(error).__name__}: {error}"
    hint = "prepare it alone with --debug to see the traceback"
    return PreparationOutcome(task.competition_id, "failed", why, hint)


@contextmanager
def _workers(
    tasks: Sequence[PreparationTask],
    catalogue: Catalogue,
    jobs: int,
    on_progress: OnPreparationProgress,
) -> Iterator[Any]:
    """A pool of processes, and a thread that forwards their progress."""
    from multiprocessing import get_context

    from pebble import ProcessPool

    context = get_context("spawn")
    progress: Queue[PreparationProgress | None] = context.Queue()
    # One process more than may prepare: it downloads the next archive in the meantime.
    extra = any(_needs_download(task, catalogue) for task in tasks)
    pool: Any = ProcessPool(
        max_workers=min(len(tasks), jobs + extra),
        context=context,
        initializer=_start_worker,
        initargs=(progress, context.Semaphore(jobs)),
    )
    pump = threading.Thread(target=_pass_on, args=(progress, on_progress), daemon=True)
    pump.start()
    try:
        with pool:
            try:
                yield pool
            except BaseException:
                # Leaving the pool's own block would first wait for all scheduled tasks.
                pool.stop()
                raise
    finally:
        progress.put(None)
        pump.join()


def _needs_download(task: PreparationTask, catalogue: Catalogue) -> bool:
    if task.options.rehearsal or task.options.archive:
        return False
    return needs_download(catalogue.get_competition(task.competition_id))


def _pass_on(
    progress: Queue[PreparationProgress | None], on_progress: OnPreparationProgress
) -> None:
    for event in iter(progress.get, None):
        on_progress(event)


@dataclass(frozen=True)
class _Worker:
    """What a worker process shares with the others; it can be inherited only, not sent."""

    progress: Queue[PreparationProgress | None]
    slots: Semaphore


_worker: _Worker


def _start_worker(progress: Queue[PreparationProgress | None], slots: Semaphore) -> None:
    global _worker
    die_with_parent()
    _worker = _Worker(progress, slots)


def _work(task: PreparationTask, catalogue: Catalogue) -> PreparationOutcome:
    """Runs in a worker process."""
    return _prepare_task(task, catalogue, _worker.progress.put, _worker.slots)
