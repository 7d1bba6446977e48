"""Child processes that end with their parent, so that a killed command leaves none behind."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


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
