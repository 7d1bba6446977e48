"""Private folders for sockets, with a short path.

A socket's path may have at most 107 characters. Only the owner can enter such a folder, so no other
user of the machine can reach a socket, whatever its mode. A lock marks folders in use; those of
killed processes are removed when the next one is made.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mlebench.system.trees import open_folder, remove_tree

PREFIX = "mlebench-sockets-"
YOUNG_SECONDS = 60.0
"""A younger folder may belong to a process that has not locked it yet."""


@contextmanager
def socket_folder() -> Iterator[Path]:
    """An empty folder of mode 0700, removed when the context ends."""
    remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with _locked(folder):
            yield folder
    finally:
        remove_tree(folder)


def remove_abandoned() -> None:
    """Remove our socket folders whose process has ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            status = folder.lstat()
            # If we are root, a folder may belong to the agent's user.
            is_ours = os.geteuid() in (0, status.st_uid)
            if is_ours and time.time() - status.st_mtime > YOUNG_SECONDS:
                with _locked(folder):
                    remove_tree(folder)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a lock that the kernel frees when the process ends; BlockingIOError if it is taken."""
    descriptor = open_folder(os.fspath(folder))
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)
