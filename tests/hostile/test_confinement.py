"""The children that parse what agents wrote can compute, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.system.bpf import AUDIT_ARCH
from mlebench.system.confinement import child_filter
from mlebench.system.fork_server import ForkServer
from tests.waiting import wait_for

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine not in AUDIT_ARCH,
    reason="there is a system-call filter for Linux on x86-64 and aarch64 only",
)

HEAD = """
import ctypes, os, socket, sys, threading
from mlebench.system.confinement import Confinement, confine
folder, secret = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
listener = socket.socket()
def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)
confine(Confinement(memory_bytes=2 << 30, cpu_seconds=2, readable=(folder,)))
"""
FORBIDDEN = {
    "a socket": "socket.socket()",
    "a connection": "listener.connect(('127.0.0.1', 9))",
    "a listening socket": "listener.bind(('127.0.0.1', 0))",
    "another process": "os.fork() or os._exit(0)",
    "another program": "os.execv('/bin/true', ['true'])",
    "another program by descriptor": "os.execve(os.open('/bin/true', os.O_RDONLY), ['true'], {})",
    "tracing": "call('ptrace', 16, os.getppid(), 0, 0)",
    "a signal": "os.kill(os.getppid(), 0)",
    "a signal to a thread": "call('syscall', 234, os.getppid(), os.getppid(), 0)",
    "a file": "open(folder + '/new', 'w')",
    "more in a file": "os.open(folder + '/old', os.O_WRONLY | os.O_APPEND)",
    "deleting": "os.unlink(folder + '/old')",
    "renaming": "os.rename(folder + '/old', folder + '/other')",
    "a folder": "os.mkdir(folder + '/d')",
    "a link": "os.symlink('x', folder + '/l')",
    "a mode": "os.chmod(folder + '/old', 0o777)",
    "shared memory": "os.memfd_create('x')",
    "limits of others": "__import__('resource').prlimit(os.getppid(), 7, (9, 9))",
    "a namespace": "call('unshare', 0x10000000)",
}
ATTEMPT = """
for what, code in attempts.items():
    try:
        exec(code)
    except PermissionError:
        print(what, flush=True)
"""
ALLOWED = {
    "reading": "assert open(folder + '/old').read() == 'text'",
    "a thread": "thread = threading.Thread(target=print); thread.start(); thread.join()",
    "importing": "import decimal, pandas.io.excel",
    "aborting itself": "call('syscall', 234, os.getpid(), threading.get_native_id(), 0)",
    "replying": "os.write(1, b'')",
}


def run(place: Path, code: str) -> subprocess.CompletedProcess[str]:
    folder = place / "folder"
    folder.mkdir()
    (folder / "old").write_text("text")
    (place / "secret").write_text("answers")
    words = [sys.executable, "-c", HEAD + code + "\nprint('done')", folder, place / "secret"]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.defence("child-filter")
def test_what_a_child_may_not_do(place: Path) -> None:
    done = run(place, f"attempts = {FORBIDDEN}{ATTEMPT}")
    assert done.stdout.splitlines() == [*FORBIDDEN, "done"], done.stderr


@pytest.mark.parametrize("what", ALLOWED)
def test_what_a_child_may_do(what: str, place: Path) -> None:
    done = run(place, ALLOWED[what])
    assert "done" in done.stdout, done.stderr


@pytest.mark.defence("child-files")
def test_a_child_reads_no_other_files(place: Path) -> None:
    done = run(place, "print(open(secret).read())")
    assert "answers" not in done.stdout
    assert "PermissionError" in done.stderr


@pytest.mark.defence("child-limits")
def test_a_child_has_bounded_memory(place: Path) -> None:
    done = run(place, "bytearray(4 << 30)")
    assert "MemoryError" in done.stderr


@pytest.mark.defence("child-limits")
def test_a_child_has_bounded_time(place: Path) -> None:
    code = "for _ in range(3):\n    while __import__('time').process_time() < 8: pass"
    assert run(place, code).returncode == -signal.SIGXCPU


def test_both_architectures_have_a_filter() -> None:
    filters = [
        child_filter(machine, is_server=server) for machine in AUDIT_ARCH for server in (0, 1)
    ]
    assert all(program and len(program) % 8 == 0 for program in filters)
    assert child_filter("riscv64") is None


def test_children_end_with_their_server() -> None:
    with ForkServer(()) as server:
        child = server.fork("tests.hostile.tasks:answer", {"text": "", "seconds": 60})
        os.kill(child.pid, 0)
    child.connection.close()
    wait_for(lambda: not Path(f"/proc/{child.pid}").exists())


def test_a_killed_server_is_replaced() -> None:
    with ForkServer(()) as server:
        first = server.fork("tests.hostile.tasks:answer", {"text": "one"})
        assert first.receive(20) == b"one\n"
        assert server._process is not None
        server._process.kill()
        assert first.end() == -1
        second = server.fork("tests.hostile.tasks:answer", {"text": "two"})
        assert second.receive(20) == b"two\n"
        second.end()


def test_a_child_that_dies_costs_only_itself() -> None:
    with ForkServer(()) as server:
        good = server.fork("tests.hostile.tasks:answer", {"text": "late", "seconds": 0.3})
        bad = server.fork("tests.hostile.tasks:crash", {})
        assert bad.receive(20) is None
        assert os.WTERMSIG(bad.end()) == signal.SIGSEGV
        assert good.receive(20) == b"late\n"
        good.end()


def test_an_endless_reply_is_cut() -> None:
    with ForkServer(()) as server:
        child = server.fork("tests.hostile.tasks:flood", {})
        assert child.receive(20) is None
        child.end()
