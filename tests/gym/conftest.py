"""Prepared starter tasks, and episodes in sandboxes that work here."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.gym import Episode, EpisodeLimits, GymTask, Services, find_task
from mlebench.gym.holdout import ensure_holdout
from mlebench.preparing.prepare import prepare
from tests.sandbox.conftest import require_sandbox

TASK = "starter-wine"
SAMPLE = """
import shutil
shutil.copy("/home/data/sample_submission.csv", "/home/submission/submission.csv")
"""
"""Leaves the sample submission as the submission."""

LIMITS = EpisodeLimits(
    steps=40, seconds=600, run_seconds=60, memory_bytes=600 << 20, disk_bytes=64 << 20, processes=40
)


@pytest.fixture(scope="session")
def wines(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """A catalogue with a prepared starter competition and its hold-out; not to be written to."""
    catalogue = Catalogue(tmp_path_factory.mktemp("gym-data"), (), "v1.1")
    competition = catalogue.get_competition(TASK)
    prepare(competition)
    ensure_holdout(competition)
    return catalogue


@pytest.fixture(scope="session")
def task(wines: Catalogue) -> GymTask:
    return find_task(TASK, catalogue=wines)


@pytest.fixture(scope="session")
def evaluation(wines: Catalogue) -> GymTask:
    return find_task(TASK, catalogue=wines, split="test", evaluate=True)


@pytest.fixture(scope="module")
def loop() -> Any:
    """An event loop for all tests of a module: its sandboxes and graders are started once."""
    made = asyncio.new_event_loop()
    yield made
    made.close()


class Ground:
    """Runs coroutines, and makes episodes that share one set of services."""

    def __init__(self, loop: asyncio.AbstractEventLoop, services: Services, logs: Path) -> None:
        self.loop = loop
        self.services = services
        self.logs = logs

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, 240))

    def episode(self, task: GymTask, **options: Any) -> Episode:
        options = {"limits": LIMITS, "logs": self.logs, "services": self.services, **options}
        return Episode(task, **options)

    def play(self, task: GymTask, *actions: Any, **options: Any) -> list[Any]:
        """The results of an episode's actions; the episode is closed."""

        async def play() -> list[Any]:
            episode = self.episode(task, **options)
            await episode.reset()
            try:
                return [await episode.step(action) for action in actions]
            finally:
                await episode.close()

        return list(self.run(play()))


def _ground(loop: asyncio.AbstractEventLoop, sandbox: str, logs: Path) -> Any:
    async def opened() -> Services:
        return Services(sandbox, ready=1)

    services = loop.run_until_complete(opened())
    yield Ground(loop, services, logs)
    loop.run_until_complete(services.close())


@pytest.fixture(scope="module")
def warm(loop: asyncio.AbstractEventLoop, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Warm sandboxes, where bubblewrap works."""
    require_sandbox("bubblewrap")
    yield from _ground(loop, "warm", tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def plain(loop: asyncio.AbstractEventLoop, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The sandbox without isolation, which works everywhere."""
    yield from _ground(loop, "process", tmp_path_factory.mktemp("logs"))
