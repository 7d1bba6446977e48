"""Tasks for children of a fork server: one that answers, and some that go wrong."""

from __future__ import annotations

import os
import signal
import socket
import time
from typing import Any


def answer(connection: socket.socket, facts: dict[str, Any]) -> None:
    """Send a text after a while."""
    time.sleep(facts.get("seconds", 0))
    connection.sendall(facts["text"].encode() + b"\n")


def crash(connection: socket.socket, facts: dict[str, Any], *files: int) -> None:
    """End as a hole in a C library ends a process."""
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def flood(connection: socket.socket, facts: dict[str, Any], *files: int) -> None:
    """Send without end and without a newline."""
    while True:
        connection.sendall(b"x" * 65536)


def babble(connection: socket.socket, facts: dict[str, Any], *files: int) -> None:
    """Send what is no JSON."""
    connection.sendall(b"[" * 100_000 + b"\n")
