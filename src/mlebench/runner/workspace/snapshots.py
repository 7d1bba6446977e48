"""Copies of the submission over time, so that progress can be graded afterwards."""

from __future__ import annotations

import threading
import time

from mlebench.records.folders import RunFolder
from mlebench.runner.workspace.collect import copy_submission

INTERVAL_SECONDS = 300.0
MAX_COPIES = 200
MAX_BYTES = 256 << 20


class Snapshots:
    """While it is open, copies a changed submission to `host/snapshots/<seconds>.csv`."""

    def __init__(self, run: RunFolder, place: RunFolder) -> None:
        self.run = run
        self.place = place
        """Where the agent's folders are while it runs."""

        self.copied: list[int] = []
        """Seconds since the start at which copies were made."""

        self._start = time.monotonic()
        self._last_hash: str | None = None
        self._left_bytes = MAX_BYTES
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Snapshots:
        self.run.snapshots.mkdir(mode=0o700, exist_ok=True)
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(INTERVAL_SECONDS):
            if len(self.copied) < MAX_COPIES and self._left_bytes > 0:
                self._copy()

    def _copy(self) -> None:
        seconds = int(time.monotonic() - self._start)
        goal = self.run.snapshots / f"{seconds}.csv"
        sealed = copy_submission(self.place, goal, self._left_bytes)
        if sealed.sha256 is None:
            return
        if sealed.sha256 == self._last_hash:
            goal.unlink()
            return
        self._last_hash = sealed.sha256
        self._left_bytes -= sealed.size or 0
        self.copied.append(seconds)
