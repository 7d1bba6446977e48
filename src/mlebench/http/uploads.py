"""Bodies of requests in files, so that the memory of a server does not grow with what clients send.

A small body is held in an anonymous file in memory, a large one in a temporary file without a name.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mlebench.system.files import write_all

IN_MEMORY_BYTES = 1 << 20
BLOCK = 256 << 10


@dataclass(frozen=True)
class Upload:
    """The body of a request."""

    file: int
    """A descriptor; the file has no name and ends with the request."""

    size: int

    def copy_to(self, target: int, start: int, size: int) -> None:
        """Write a range of the body to another descriptor."""
        while size:
            block = os.pread(self.file, min(size, BLOCK), start)
            if not block:
                raise EOFError("the upload is shorter than it was")
            write_all(target, block)
            start, size = start + len(block), size - len(block)


class Spool:
    """Where the bodies of large requests are stored while they are processed.

    Args:
        folder: for large bodies; by default the system's folder for temporary files.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.buffer = memoryview(bytearray(BLOCK))
        """Between socket and file; no other code runs while it is in use."""

    @contextmanager
    def file_for(self, size: int) -> Iterator[Upload]:
        """An empty file for a body of this size."""
        if size <= IN_MEMORY_BYTES and hasattr(os, "memfd_create"):
            descriptor = os.memfd_create("upload", os.MFD_CLOEXEC)
            try:
                yield Upload(descriptor, size)
            finally:
                os.close(descriptor)
        else:
            with tempfile.TemporaryFile(dir=self.folder) as file:
                yield Upload(file.fileno(), size)
