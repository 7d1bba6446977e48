"""Events for an open page: at most one of each kind per second."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from mlebench.viewer.index import Index, NotFoundError
from mlebench.viewer.lines import Lines, StillReading
from mlebench.viewer.places import Absent, opened_file
from mlebench.viewer.run_page import AGENT_LOG, live_facts, log_names

PAUSE_SECONDS = 1.0
PING_SECONDS = 10.0


def event(name: str, data: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


@dataclass
class Watch:
    """An open page, and the state that was sent to it last."""

    index: Index
    lines: Lines
    run: tuple[str, str] | None = None
    log: str = AGENT_LOG
    version: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    size: int = -1

    def look(self) -> list[bytes]:
        """The events since the last call."""
        found = []
        version = self.index.refresh()
        if version != self.version:
            self.version = version
            found.append(event("index", {"version": version}))
        if self.run is not None:
            found += self._look_at_run(*self.run)
        return found

    def _look_at_run(self, group: str, key: str) -> list[bytes]:
        try:
            place = self.index.run(group, key)
        except NotFoundError:
            return []
        found = []
        if (facts := live_facts(place)) != self.facts:
            self.facts = facts
            found.append(event("run", facts))
        with (
            suppress(Absent, StillReading),
            opened_file(place.root, log_names(place, self.log)) as descriptor,
        ):
            size = os.fstat(descriptor).st_size
            if size != self.size:
                self.size = size
                total = self.lines.of(descriptor).total
                found.append(event("log", {"name": self.log, "total": total, "size": size}))
        return found


async def follow(watch: Watch) -> AsyncGenerator[bytes, None]:
    """Events until the page is closed, which the server notices when it sends a ping."""
    sent_at = time.monotonic()
    yield b"retry: 2000\n\n"
    while True:
        for message in await asyncio.to_thread(watch.look):
            sent_at = time.monotonic()
            yield message
        if time.monotonic() - sent_at >= PING_SECONDS:
            sent_at = time.monotonic()
            yield event("ping", {"version": watch.version})
        await asyncio.sleep(PAUSE_SECONDS)
