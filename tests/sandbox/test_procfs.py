"""Facts about processes, also about those that lie."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mlebench.sandbox import procfs


@contextmanager
def started(code: str) -> Iterator[int]:
    """The PID of a Python program, once it has printed something."""
    command = [sys.executable, "-c", textwrap.dedent(code)]
    environment = {**os.environ, "MARK": "a=b"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as child:
        assert child.stdout is not None and child.stdout.readline()
        yield child.pid
        child.kill()


def test_a_name_cannot_hide_threads() -> None:
    code = r"""
        import ctypes, threading
        ctypes.CDLL(None).prctl(15, b"Threads:\t1\n) R 1", 0, 0, 0)
        for _ in range(3):
            threading.Thread(target=input, daemon=True).start()
        print("ready", flush=True)
        threading.Event().wait()
    """
    with started(code) as pid:
        assert "Threads:\t1" in Path(f"/proc/{pid}/status").read_text()
        assert procfs.thread_count(pid) == 4
        assert procfs.start_time(pid) is not None


def test_facts_of_a_process() -> None:
    code = """
        import time
        block = b"x" * (64 << 20)
        while time.process_time() < 0.3: pass
        print("ready", flush=True)
        input()
    """
    with started(code) as pid:
        assert 64 << 20 < procfs.resident_bytes(pid) < 256 << 20
        assert 64 << 20 < procfs.proportional_bytes(pid) <= procfs.resident_bytes(pid)
        assert 0.2 <= procfs.cpu_seconds(pid) < 5
        assert pid in procfs.descendants(os.getpid())
        assert procfs.has_variable(pid, "MARK", "a=b")
        assert not procfs.has_variable(pid, "MARK", "a")
    assert procfs.start_time(pid) is None
    assert procfs.resident_bytes(pid) == procfs.proportional_bytes(pid) == 0
    assert procfs.cpu_seconds(pid) == procfs.thread_count(pid) == 0
    assert not procfs.has_variable(pid, "MARK", "a=b")
