"""The writer of a run's exchanges: one line per entry, long texts in files beside them."""

from __future__ import annotations

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from mlebench.gateway.keys import KeyFilter
from mlebench.records.trajectory import RefusedEntry, TrajectoryEntry, encode_entry
from mlebench.system.files import write_all, write_atomically

MAX_BYTES = 4 << 30
MAX_REFUSALS = 1000


class Trajectory:
    """Appends entries to a run's record, without any trace of the key."""

    def __init__(self, path: Path, key_filter: KeyFilter) -> None:
        self.path = path
        self.side = path.parent / path.stem
        self._filter = key_filter
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._bytes = os.fstat(self._file).st_size
        self._refusals = 0

    def add(self, entry: TrajectoryEntry) -> None:
        """Append one entry with the current time, as one line."""
        if isinstance(entry, RefusedEntry):
            self._refusals += 1
            if self._refusals > MAX_REFUSALS:
                return
        stamped = msgspec.structs.replace(entry, time=now())
        line = self._filter(encode_entry(stamped, self._put_beside)).encode() + b"\n"
        self._bytes += len(line)
        write_all(self._file, line)

    def close(self) -> None:
        os.close(self._file)

    def _put_beside(self, text: str) -> dict[str, Any]:
        data = self._filter(text).encode("utf-8", "surrogatepass")
        name = f"{hashlib.sha256(data).hexdigest()[:32]}.txt"
        facts = {"$file": f"{self.side.name}/{name}", "bytes": len(data)}
        file = self.side / name
        if file.exists():
            return facts
        if self._bytes + len(data) > MAX_BYTES:
            return {"$omitted": name, "bytes": len(data)}
        self.side.mkdir(mode=0o700, exist_ok=True)
        write_atomically(file, data, is_durable=False)
        self._bytes += len(data)
        return facts


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
