"""What workers receive for a group, and the tools that each of them opens for its runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path

from mlebench.agents.base import AgentPackage
from mlebench.catalogue import Catalogue
from mlebench.grading import pool
from mlebench.grading.pool import GradingPool
from mlebench.runner.endpoints import OpenModel
from mlebench.runner.plan import PlannedGroup, require_same_agent
from mlebench.runner.statuses import unfinished
from mlebench.sandbox.base import Sandbox
from mlebench.sandbox.process_tree import identify
from mlebench.sandbox.registry import get_sandbox
from mlebench.system.fork_server import ForkServer
from mlebench.validation import server


@dataclass(frozen=True)
class Work:
    """All that a worker on any machine needs to know to work on a group."""

    group: PlannedGroup
    catalogue: Catalogue
    agent: AgentPackage
    packages: Path | None = None
    """Python libraries for the agent."""

    program: Path | None = None
    """The installed program of the agent."""

    open_model: OpenModel | None = None
    """Opens the model endpoint of a run; must be picklable."""

    left: frozenset[str] | None = None
    """Run ids; all other runs were over when the work began. None: not known."""

    def unfinished(self) -> Iterator[str]:
        """Runs that are not over yet, each read when it is requested."""
        return unfinished(self.group, self.left)


@dataclass(frozen=True)
class WorkerTools:
    """What a worker keeps over its runs."""

    work: Work
    sandbox: Sandbox
    grading: GradingPool
    harness: str
    """Tells the process that started this worker from every other one."""


@contextmanager
def open_tools(work: Work) -> Iterator[WorkerTools]:
    """A worker's tools; UsageError where the agent is not the planned one any more."""
    require_same_agent(work.group.plan, work.agent)
    forks = ForkServer((*pool.IMPORTS, *server.IMPORTS))
    with GradingPool(work.catalogue, server=forks) as grading:
        sandbox = get_sandbox(work.group.plan.settings.sandbox)
        yield WorkerTools(work, sandbox, grading, _harness())


def _harness() -> str:
    parent = parent_process()
    identity = identify(parent.pid if parent and parent.pid else os.getpid())
    return f"{identity.boot}/{identity.pid}/{identity.start}" if identity else ""
