"""Store the first and the last megabytes of the agent's output."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

HEAD_BYTES = 50_000_000
TAIL_BYTES = 50_000_000
CHUNK = 1 << 20
LATER_TAIL_BYTES = 1_000_000
"""Kept of each later start, once the earlier ones have filled the file."""


class CappedLog:
    """A file that keeps the first and the last bytes written to it, in constant memory.

    A file that exists is continued, since an agent may be started again; its size counts.
    """

    def __init__(self, path: Path, head: int = HEAD_BYTES, tail: int = TAIL_BYTES) -> None:
        self._tail_path = path.with_name(path.name + ".tail")
        self._past_head = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
        self._file = os.fdopen(os.open(path, flags, 0o600), "ab", buffering=0)
        size = os.fstat(self._file.fileno()).st_size
        self._head_left = max(0, head - size)
        self._tail_size = tail if size < head + tail else min(tail, LATER_TAIL_BYTES)
        self._tail: int | None = None
        self.bytes_seen = 0

    def write(self, data: bytes) -> None:
        """Keep what fits; on a disk that the agent has filled, output is lost without an error."""
        self.bytes_seen += len(data)
        kept = min(self._head_left, len(data))
        self._head_left -= kept
        with contextlib.suppress(OSError):
            if kept:
                self._file.write(data[:kept])
            if data[kept:]:
                self._write_tail(data[kept:])

    def _write_tail(self, data: bytes) -> None:
        """Write to a ring buffer, in which the newest bytes overwrite the oldest."""
        if self._tail is None:
            flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
            self._tail = os.open(self._tail_path, flags, 0o600)
        view = memoryview(data)[-self._tail_size :]
        place = (self._past_head + len(data) - len(view)) % self._tail_size
        first = view[: self._tail_size - place]
        os.pwrite(self._tail, first, place)
        os.pwrite(self._tail, view[len(first) :], 0)
        self._past_head += len(data)

    def close(self) -> None:
        """Append the tail to the head, with a line about the bytes left out between them."""
        if self._tail is not None:
            with contextlib.suppress(OSError):
                self._append_tail()
            os.close(self._tail)
            self._tail = None
            self._tail_path.unlink(missing_ok=True)
        self._file.close()

    def _append_tail(self) -> None:
        missing = max(0, self._past_head - self._tail_size)
        if missing:
            self._file.write(f"\n[… {missing} bytes left out …]\n".encode())
        start = self._past_head % self._tail_size if missing else 0
        self._copy_tail(start, min(self._past_head, self._tail_size) - start)
        self._copy_tail(0, start)

    def _copy_tail(self, place: int, count: int) -> None:
        while count > 0 and self._tail is not None:
            data = os.pread(self._tail, min(CHUNK, count), place)
            if not data:
                return
            self._file.write(data)
            place += len(data)
            count -= len(data)
