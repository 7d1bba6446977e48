"""The fork server has one thread: a fork beside others could deadlock its children."""

from __future__ import annotations

import socket
import subprocess
import sys

import psutil

from mlebench.grading.pool import IMPORTS
from mlebench.system.fork_server import ForkServer


def test_nothing_that_is_imported_starts_a_thread() -> None:
    with ForkServer((*IMPORTS, "sklearn.metrics", "scipy.stats")) as server:
        server.warm(["scipy.linalg"])
        assert server._process is not None
        assert psutil.Process(server._process.pid).num_threads() == 1


def test_a_server_whose_parent_is_gone_ends_quietly() -> None:
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs:
        command = [sys.executable, "-m", "mlebench.system.fork_server", str(theirs.fileno())]
        done = subprocess.run(
            command, pass_fds=[theirs.fileno()], capture_output=True, text=True, timeout=60
        )
    assert (done.returncode, done.stderr) == (0, "")
