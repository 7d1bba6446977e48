"""The record of a run's exchanges: JSON lines, long texts in files beside them.

    open      once: model, provider, settings
    start     before a call goes out
    exchange  after it: request, response, times, tokens, cost
    refused   a request that did not pass
    close     once: totals

host/
  trajectory.jsonl
  trajectory/<hash>.txt    texts above 64 kB, referred to as {"$file": …, "bytes": …}
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mlebench.errors import DataError
from mlebench.gateway.keys import KeyFilter
from mlebench.system.files import write_atomically

SCHEMA = 1
LONG = 64 * 1024
MAX_BYTES = 4 << 30
MAX_REFUSALS = 1000
OURS = re.compile(r"\$+file")


class Trajectory:
    """Appends entries to a run's record, without any trace of the key."""

    def __init__(self, path: Path, key_filter: KeyFilter) -> None:
        self.path = path
        self.side = path.parent / path.stem
        self._filter = key_filter
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._bytes = os.fstat(self._file).st_size
        self._refusals = 0

    def add(self, kind: str, **facts: Any) -> None:
        """Append one entry as one line with one write."""
        if kind == "refused":
            self._refusals += 1
            if self._refusals > MAX_REFUSALS:
                return
        entry = {"kind": kind, "time": now(), **{k: self._short(v) for k, v in facts.items()}}
        # ASCII with escapes, because an agent may send lone surrogates.
        line = self._filter(json.dumps(entry, allow_nan=False)).encode() + b"\n"
        self._bytes += len(line)
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._file, rest) :]

    def close(self) -> None:
        os.close(self._file)

    def _short(self, value: Any) -> Any:
        """The value with its long texts replaced by references to files."""
        if isinstance(value, dict):
            # Escape an agent's own key of that name.
            return {
                f"${name}" if OURS.fullmatch(name) else name: self._short(part)
                for name, part in value.items()
            }
        if isinstance(value, list):
            return [self._short(part) for part in value]
        if isinstance(value, str) and len(value) > LONG:
            return self._put_beside(self._filter(value))
        return value

    def _put_beside(self, text: str) -> dict[str, Any]:
        data = text.encode("utf-8", "surrogatepass")
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


def read_entries(path: Path) -> Iterator[dict[str, Any]]:
    """Every entry with its long texts back in place; an incomplete last line is skipped."""
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                try:
                    entry = json.loads(line)
                except ValueError:
                    if line.endswith(b"\n"):
                        raise DataError(f"{path} is damaged in line {number}") from None
                    return
                yield _whole(entry, path.parent)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None


def _whole(value: Any, folder: Path) -> Any:
    if isinstance(value, list):
        return [_whole(part, folder) for part in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$file", "bytes"}:
        name = Path(str(value["$file"]))
        if name.is_absolute() or ".." in name.parts:
            raise DataError(f"a trajectory in {folder} points outside its folder")
        return (folder / name).read_bytes().decode("utf-8", "surrogatepass")
    return {
        name[1:] if name != "$file" and OURS.fullmatch(name) else name: _whole(part, folder)
        for name, part in value.items()
    }


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
