"""What a worker brings to every run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from mlebench.agents.base import AgentPackage
from mlebench.catalogue import Catalogue
from mlebench.grading.batch import GradingPool
from mlebench.runner.endpoints import OpenModel
from mlebench.sandbox.base import Sandbox
from mlebench.sandbox.gpus import Gpu


@dataclass(frozen=True)
class Tools:
    """What a worker brings to every run."""

    catalogue: Catalogue
    agent: AgentPackage
    sandbox: Sandbox
    grading: GradingPool
    packages: Path | None = None
    """Python libraries for the agent."""

    open_model: OpenModel | None = None
    lease_gpus: Callable[[int], AbstractContextManager[tuple[Gpu, ...]]] | None = None
    snapshot_seconds: float = 300
