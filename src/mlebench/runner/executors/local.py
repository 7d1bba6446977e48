"""Many runs on this machine: worker processes that take one planned run after the other."""

from __future__ import annotations

import signal
from collections.abc import Callable
from itertools import islice
from multiprocessing import connection, get_context, parent_process
from multiprocessing.process import BaseProcess

from mlebench.runner.executors.worker import MAX_DEATHS, execute_all
from mlebench.runner.run import MAX_ATTEMPTS
from mlebench.runner.tools import Work
from mlebench.system.children import die_with_parent

POLL_SECONDS = 0.5


def run_local(work: Work, *, jobs: int = 1, on_change: Callable[[], None] = lambda: None) -> None:
    """Execute all runs of a group with several processes; returns when none is left.

    Args:
        on_change: called twice a second, and when a worker ended.
    """
    context = get_context("spawn")

    def start() -> BaseProcess:
        process = context.Process(target=_work, args=(work,))
        process.start()
        return process

    count = sum(1 for _ in islice(work.unfinished(), jobs))
    workers = [start() for _ in range(count)]
    # A run whose worker dies repeatedly is given up, so that the others get their turn.
    deaths_left = MAX_DEATHS + MAX_ATTEMPTS * len(work.group.plan.runs)
    try:
        while workers:
            connection.wait([worker.sentinel for worker in workers], POLL_SECONDS)
            on_change()
            for worker in [worker for worker in workers if not worker.is_alive()]:
                workers.remove(worker)
                # Killed; one that ends with an error would do so again.
                is_killed = (worker.exitcode or 0) < 0
                if is_killed and deaths_left and any(work.unfinished()):
                    deaths_left -= 1
                    workers.append(start())
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _work(work: Work) -> None:
    """Runs in a worker process."""
    # With the worker its sandbox ends, too.
    harness = parent_process()
    die_with_parent(harness.pid if harness else None)
    # Ctrl-C reaches the whole process group; the harness alone decides what it means. A handler
    # that does nothing, unlike SIG_IGN, is not passed on to the agent.
    signal.signal(signal.SIGINT, lambda number, frame: None)
    execute_all(work)
