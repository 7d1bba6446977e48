"""Many runs on a Ray cluster: workers as tasks with CPUs and GPUs as Ray resources.

A coordinator starts the workers and replaces those whose node died. It is a detached actor on the
head node, so the group goes on when the command that started it ends, and `resume` finds it by its
name. Ray's own retries of tasks are off: leases decide who has a run. The group is on a shared file
system.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from msgspec import structs

from mlebench.runner.executors.worker import (
    MAX_DEATHS,
    execute_all,
    import_library,
    workers_wanted,
)
from mlebench.runner.plan import open_group
from mlebench.runner.run import MAX_ATTEMPTS
from mlebench.runner.statuses import GroupWatch
from mlebench.runner.tools import Work

NAMESPACE = "mlebench"
WAIT_SECONDS = 1.0
MAX_COORDINATORS = 5

log = logging.getLogger(__name__)


def run_ray(
    work: Work,
    *,
    address: str | None = None,
    cpus: float = 1,
    gpus: float = 0,
    on_change: Callable[[], None] = lambda: None,
) -> None:
    """Execute all runs of a group, even if nodes die; returns when none is left."""
    ray = import_library("ray", extra="ray")
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False, logging_level="error")
    _warn_if_too_small(ray, {"CPU": cpus, "GPU": gpus})
    coordinator = ray.remote(
        num_cpus=0,
        max_restarts=-1,
        lifetime="detached",
        name=work.group.plan.group,
        namespace=NAMESPACE,
        get_if_exists=True,
        scheduling_strategy=_on_head(ray),
    )(Coordinator)
    for _ in range(MAX_COORDINATORS):
        if not any(work.unfinished()):
            return
        actor = coordinator.remote(_without_runs(work), cpus, gpus)
        while _is_working(ray, actor):
            on_change()
            time.sleep(WAIT_SECONDS)
        on_change()


def _without_runs(work: Work) -> Work:
    """Work that is small whatever the plan: Ray cannot restart an actor with large arguments
    after the driver, which has them in its object store, is gone.
    """
    plan = structs.replace(work.group.plan, runs=())
    return replace(work, group=replace(work.group, plan=plan), left=None)


def _with_runs(work: Work) -> Work:
    runs = open_group(work.group).plan.runs
    plan = structs.replace(work.group.plan, runs=runs)
    return replace(work, group=replace(work.group, plan=plan))


def _on_head(ray: Any) -> Any:
    """Prefer the head node: with any other the coordinator may die, and all its workers do."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    for node in ray.nodes():
        if node["Alive"] and "node:__internal_head__" in node["Resources"]:
            return NodeAffinitySchedulingStrategy(node["NodeID"], soft=True)
    return "DEFAULT"


def _warn_if_too_small(ray: Any, needs: Mapping[str, float]) -> None:
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    if not any(all(node.get(name, 0) >= need for name, need in needs.items()) for node in nodes):
        log.warning(
            "no node of the Ray cluster has %g CPUs and %g GPUs; runs wait for one",
            needs["CPU"],
            needs["GPU"],
        )


def _is_working(ray: Any, actor: Any) -> bool:
    try:
        return bool(ray.get(actor.is_working.remote()))
    except ray.exceptions.ActorUnavailableError:
        return True  # it is started again elsewhere
    except ray.exceptions.ActorDiedError:
        return False


class Coordinator:
    """Keeps as many workers as fit into the cluster, until no run is left; then it ends.

    Everything it knows is on disk, so Ray can start it again anywhere.
    """

    def __init__(self, work: Work, cpus: float, gpus: float) -> None:
        self._work = _with_runs(work)
        self._needs = {"CPU": cpus, "GPU": gpus}
        self._thread = threading.Thread(target=self._coordinate, daemon=True)
        self._thread.start()

    def is_working(self) -> bool:
        """Whether there is something left to do."""
        return self._thread.is_alive()

    def _coordinate(self) -> None:
        ray = import_library("ray", extra="ray")
        try:
            self._keep_workers(ray)
        finally:
            ray.kill(ray.get_runtime_context().current_actor)

    def _keep_workers(self, ray: Any) -> None:
        group = self._work.group
        task = ray.remote(num_cpus=self._needs["CPU"], num_gpus=self._needs["GPU"], max_retries=0)(
            execute_all
        )
        # Once for all workers: a plan may have thousands of runs.
        shared = ray.put(self._work)
        watch = GroupWatch(group)
        watch.refresh()
        workers: list[Any] = []
        deaths_left = MAX_DEATHS + MAX_ATTEMPTS * len(group.plan.runs)
        while workers or any(run.is_open for run in watch.runs):
            if deaths_left > 0:
                wanted = workers_wanted(watch.runs, self._slots(ray))
                workers += [task.remote(shared) for _ in range(wanted - len(workers))]
            elif not workers:
                return
            # Without workers the open runs belong to another process, which may still lose them.
            done, workers = _wait(ray, workers)
            deaths_left -= sum(_is_lost(ray, worker) for worker in done)
            watch.refresh()

    def _slots(self, ray: Any) -> int:
        """How many workers the nodes can have at once; at least one, which waits for a node."""
        found = ray.cluster_resources()
        sizes = [found.get(name, 0) / need for name, need in self._needs.items() if need]
        return max(1, int(min(sizes, default=1)))


def _wait(ray: Any, workers: list[Any]) -> tuple[list[Any], list[Any]]:
    """Workers that ended and those that go on, after a while."""
    if not workers:
        time.sleep(WAIT_SECONDS)
        return [], []
    done, rest = ray.wait(workers, num_returns=1, timeout=WAIT_SECONDS)
    return done, rest


def _is_lost(ray: Any, reference: Any) -> bool:
    """Whether a worker ended for a reason that is not a run's."""
    try:
        ray.get(reference)
    except ray.exceptions.RayError:
        return True
    return False
