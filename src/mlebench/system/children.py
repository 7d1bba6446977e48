"""Child processes that end with their parent, and that are replaced if they are killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import NoReturn

PR_SET_PDEATHSIG = 1
MAX_RESTARTS = 20
RESTART_SECONDS = 0.2


def die_with_parent(parent: int | None = None) -> None:
    """Ask the kernel to kill this process when its parent ends; has an effect on Linux only.

    Args:
        parent: the parent's process id, if the caller knows it. Else the current parent counts,
            which is wrong if the real one has ended already.
    """
    if sys.platform != "linux":
        return
    parent = parent or os.getppid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        # The parent ended before the kernel knew of the request.
        os.kill(os.getpid(), signal.SIGKILL)


def run_in_child(work: Callable[[int], NoReturn]) -> int:
    """Run a function in a forked child, and in another one whenever a signal kills the child.

    Args:
        work: ends the process; receives how many children there were before.

    Returns:
        The exit code of the last child; 1 if too many were killed.
    """
    for number in range(MAX_RESTARTS + 1):
        child = os.fork()
        if child == 0:
            work(number)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)
        time.sleep(RESTART_SECONDS)
    return 1
