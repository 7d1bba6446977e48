"""One event loop in a background thread, for callers without a loop of their own."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from mlebench.gym.services import close_shared_services

CLOSE_SECONDS = 30.0
Result = TypeVar("Result")


class _Loop:
    """A loop in a thread that lives as long as the process: sandboxes end with their thread."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True, name="episodes")
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, Result], seconds: float | None = None) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(seconds)


_loop: _Loop | None = None
_lock = threading.Lock()


def run_in_background(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine; the loop is made by the first call in each process."""
    global _loop
    with _lock:
        if _loop is None or _loop.pid != os.getpid():
            _loop = _Loop()
            atexit.register(close_background, _loop)
    return _loop.run(work)


def close_background(loop: _Loop | None = None) -> None:
    """End the processes of all episodes of this process; the next call starts others."""
    global _loop
    found = loop or _loop
    if found is None or found.pid != os.getpid() or not found.thread.is_alive():
        return
    found.run(close_shared_services(), CLOSE_SECONDS)
    found.loop.call_soon_threadsafe(found.loop.stop)
    found.thread.join(CLOSE_SECONDS)
    found.loop.close()
    if _loop is found:
        _loop = None
