"""What the episodes of one process share: workspaces, judging processes, the library folder."""

from __future__ import annotations

import asyncio
import weakref
from pathlib import Path

from mlebench.agents.environments import packages_for
from mlebench.agents.registry import find_agent
from mlebench.gym.plain import PlainSource
from mlebench.gym.scoring import Scoring
from mlebench.gym.warm import WarmSource
from mlebench.gym.workspace import WorkspaceSource

WARM = "warm"


class Services:
    """Opened by the first episode of an event loop, or by the caller.

    Args:
        sandbox: `warm` (bubblewrap, ready in advance), or the name of any sandbox.
        ready: how many warm sandboxes are kept ready for each task.
    """

    def __init__(self, sandbox: str = WARM, *, ready: int | None = None) -> None:
        self.sandbox = sandbox
        self.scoring = Scoring()
        self._ready = ready
        self._source: WorkspaceSource | None = None
        self._lock = asyncio.Lock()

    async def source(self) -> WorkspaceSource:
        """Where workspaces come from; started when it is first needed."""
        async with self._lock:
            if self._source is None:
                packages = await asyncio.to_thread(gym_packages)
                self._source = (
                    WarmSource(packages, self._ready)
                    if self.sandbox == WARM
                    else PlainSource(self.sandbox, packages)
                )
            return self._source

    async def __aenter__(self) -> Services:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End all processes; episodes that are still open end with them."""
        if self._source is not None:
            await self._source.close()
            self._source = None
        await self.scoring.close()


_SHARED: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Services]] = (
    weakref.WeakKeyDictionary()
)


def shared_services(sandbox: str = WARM) -> Services:
    """The services of the running event loop."""
    known = _SHARED.setdefault(asyncio.get_running_loop(), {})
    return known.setdefault(sandbox, Services(sandbox))


async def close_shared_services() -> None:
    """End the services of the running event loop."""
    for services in _SHARED.pop(asyncio.get_running_loop(), {}).values():
        await services.close()


def gym_packages() -> Path | None:
    """The libraries of programs in episodes: those of the baseline agent."""
    return packages_for(find_agent("baseline"))
