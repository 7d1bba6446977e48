"""Many runs on this machine: worker processes that take one planned run after the other."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from mlebench.agents.base import load_agent
from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError
from mlebench.grading.batch import GradingPool
from mlebench.records.folders import GroupFolder
from mlebench.records.runs import read_run
from mlebench.runner.endpoints import OpenModel
from mlebench.runner.plan import open_group, require_same_agent
from mlebench.runner.run import FINAL, execute_run
from mlebench.runner.tools import Tools
from mlebench.sandbox.gpus import leased_gpus
from mlebench.sandbox.registry import get_sandbox

POLL_SECONDS = 0.2
MAX_WORKER_DEATHS = 20
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Work:
    """All that a worker on any machine needs to know to work on a group."""

    group: Path
    catalogue: Catalogue
    agent_folder: Path
    sandbox: str
    packages: Path | None = None
    snapshot_seconds: float = 300
    open_model: OpenModel | None = None
    """Opens the model gateway for a run; must be picklable."""


@contextmanager
def open_tools(work: Work) -> Iterator[Tools]:
    """A worker's tools, kept over its runs."""
    agent = load_agent(work.agent_folder)
    require_same_agent(open_group(GroupFolder(work.group)), agent)
    with ExitStack() as stack:
        yield Tools(
            catalogue=work.catalogue,
            agent=agent,
            sandbox=get_sandbox(work.sandbox),
            grading=stack.enter_context(GradingPool(work.catalogue)),
            packages=work.packages,
            open_model=work.open_model,
            lease_gpus=leased_gpus,
            snapshot_seconds=work.snapshot_seconds,
        )


def run_local(work: Work, *, jobs: int = 1, on_change: Callable[[], None] = lambda: None) -> None:
    """Work on all runs of a group with several processes; ends when none is left to do."""
    group = GroupFolder(work.group)
    context = get_context("spawn")

    def start() -> BaseProcess:
        process = context.Process(target=_work, args=(work, os.getpid()))
        process.start()
        return process

    count = min(jobs, max(1, len(unfinished(group))))
    workers = [start() for _ in range(count)]
    deaths = 0
    try:
        while workers:
            time.sleep(POLL_SECONDS)
            on_change()
            for worker in list(workers):
                if worker.is_alive():
                    continue
                workers.remove(worker)
                if worker.exitcode and unfinished(group) and deaths < MAX_WORKER_DEATHS:
                    deaths += 1
                    workers.append(start())
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def unfinished(group: GroupFolder) -> list[str]:
    """Runs that have not come to their end; a damaged one is left alone."""
    found = []
    for run in open_group(group).runs:
        try:
            if read_run(group.run(run.run_id).state).state not in FINAL:
                found.append(run.run_id)
        except BenchError:
            continue
    return found


def _work(work: Work, parent: int) -> None:
    """What a worker process does: every run that nobody else has."""
    die_with_parent(parent)
    group = GroupFolder(work.group)
    with open_tools(work) as tools:
        for run_id in unfinished(group):
            execute_run(group, run_id, tools)


def die_with_parent(parent: int) -> None:
    """A worker whose harness was killed goes with it, and its sandbox with the worker."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
