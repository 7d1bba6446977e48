"""Many runs on a Ray cluster: each run a task with CPUs and GPUs as Ray resources.

Ray's own retries are off. A task whose node died is given out again by us; the new attempt takes
the run's lease, so that a late writer never counts. The group is on a shared file system.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from mlebench.errors import DataError, UsageError
from mlebench.records.run import read_run
from mlebench.runner.run import execute_run
from mlebench.runner.statuses import unfinished
from mlebench.runner.tools import Work, open_tools

MAX_LOSSES = 5
WAIT_SECONDS = 1.0
BUSY_SECONDS = 5.0


def run_ray(
    work: Work,
    *,
    address: str | None = None,
    cpus: float = 1,
    gpus: float = 0,
    on_change: Callable[[], None] = lambda: None,
) -> None:
    """Execute all runs of a group, even if nodes die; returns when none is left."""
    ray = _ray()
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, logging_level="error")
    task = ray.remote(num_cpus=cpus, num_gpus=gpus, max_retries=0)(_execute)
    # Once for all tasks: a plan may have thousands of runs.
    shared = ray.put(work)
    waiting = {task.remote(shared, run_id): run_id for run_id in unfinished(work.group)}
    losses: dict[str, int] = {}
    while waiting:
        done, _ = ray.wait(list(waiting), num_returns=1, timeout=WAIT_SECONDS)
        on_change()
        for reference in done:
            run_id = waiting.pop(reference)
            if _is_lost(ray, reference):
                losses[run_id] = losses.get(run_id, 0) + 1
            if losses.get(run_id, 0) <= MAX_LOSSES and _is_unfinished(work, run_id):
                waiting[task.remote(shared, run_id)] = run_id


def _is_unfinished(work: Work, run_id: str) -> bool:
    try:
        return not read_run(work.group.run(run_id).state).is_final
    except DataError:
        return False


def _is_lost(ray: Any, reference: Any) -> bool:
    """Whether a task ended for a reason that is not the run's."""
    try:
        ray.get(reference)
    except ray.exceptions.RayError:
        return True
    return False


def _execute(work: Work, run_id: str) -> None:
    with open_tools(work) as tools:
        if execute_run(work.group, run_id, tools) is None:
            # A worker behind a partition still holds the lease; look again later.
            time.sleep(BUSY_SECONDS)


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise UsageError(
            "the ray executor needs Ray; install it: pip install 'mlebench[ray]'"
        ) from None
    return ray
