"""Small hostile agents and how each run must end: `mlebench doctor --attack` runs them.

Each agent is a piece of Python that uses the standard library alone. Limits are small, and an agent
that is not stopped ends by itself, so the machine is hardly loaded.
"""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from mlebench.errors import SandboxError
from mlebench.sandbox.base import EndedBy, Outcome, ResourceLimits, Sandbox
from mlebench.sandbox.mounts import scratch_job
from mlebench.system.trees import remove_tree

MB = 1 << 20
SECONDS = 15.0
SLACK = 1.5
"""How far a polled limit may be exceeded before the run ends."""


@dataclass(frozen=True)
class Attack:
    """A hostile agent and how its run has to end."""

    name: str
    code: str
    """`FOLDERS` are its folders; `MARK` must be in the command line of processes it leaves."""

    ends: tuple[EndedBy, ...]
    limits: dict[str, Any] = field(default_factory=dict)
    seconds: float = SECONDS

    @property
    def attacked(self) -> str | None:
        """The limit that it tries to exceed."""
        return next(iter(self.limits), None)


@dataclass(frozen=True)
class Finding:
    """The result of an attack."""

    attack: str
    is_held: bool
    reason: str


ATTACKS = (
    Attack(
        "memory in one block",
        "x = bytearray(b'x') * (600 << 20)\nwait()",
        ("memory", "exit"),
        {"memory_bytes": 200 * MB},
    ),
    Attack(
        "memory in a file without pages",
        "f = os.memfd_create('x')\n"
        "for _ in range(600): os.write(f, bytes(1 << 20)); time.sleep(0.002)\nwait()",
        ("memory",),
        {"memory_bytes": 200 * MB},
    ),
    Attack(
        "memory in a detached segment",
        "import ctypes; c = ctypes.CDLL(None); c.shmat.restype = ctypes.c_void_p\n"
        "c.shmdt.argtypes = [ctypes.c_void_p]\n"
        "for _ in range(12):\n"
        "    at = c.shmat(c.shmget(0, 50 << 20, 0o1600), None, 0)\n"
        "    ctypes.memset(at, 1, 50 << 20); c.shmdt(at); time.sleep(0.1)\nwait()",
        ("memory",),
        {"memory_bytes": 200 * MB},
    ),
    Attack(
        "forks without end",
        "while True:\n    try:\n        if os.fork() == 0: wait()\n"
        "    except OSError: time.sleep(0.01)",
        ("processes",),
        {"processes": 60},
    ),
    Attack(
        "one large file",
        "f = open(FOLDERS['code'] + '/x', 'wb')\n"
        "for _ in range(200): f.write(bytes(1 << 20)); f.flush(); time.sleep(0.01)\nwait()",
        ("disk",),
        {"disk_bytes": 20 * MB},
    ),
    Attack(
        "a file without a name",
        "f = open(FOLDERS['code'] + '/x', 'wb'); os.unlink(FOLDERS['code'] + '/x')\n"
        "for _ in range(100): f.write(bytes(1 << 20)); f.flush(); time.sleep(0.02)\nwait()",
        ("disk", "exit"),
        {"disk_bytes": 20 * MB},
    ),
    Attack(
        "files in a folder without rights",
        "d = FOLDERS['agent'] + '/d'; os.mkdir(d); f = open(d + '/x', 'wb'); os.chmod(d, 0)\n"
        "for _ in range(100): f.write(bytes(1 << 20)); f.flush(); time.sleep(0.02)\nwait()",
        ("disk",),
        {"disk_bytes": 20 * MB},
    ),
    Attack(
        "many empty files",
        "import itertools\n"
        "for n in itertools.count(): open(f\"{FOLDERS['logs']}/{n}\", 'w').close()",
        ("disk",),
        {"disk_bytes": 2 * MB},
    ),
    Attack(
        "a tree that is too deep to be walked",
        "at = os.open(FOLDERS['code'], os.O_RDONLY)\n"
        "for _ in range(1200):\n"
        "    os.mkdir('d', dir_fd=at); b = os.open('d', os.O_RDONLY, dir_fd=at)\n"
        "    os.close(at); at = b",
        ("exit",),
    ),
    Attack(
        "a daemon without mark, session or parent",
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)', MARK], env={},\n"
        "                 start_new_session=True)\n"
        "time.sleep(0.3); os.kill(os.getppid(), 9); time.sleep(0.5)",
        ("exit",),
    ),
    Attack(
        "signals ignored after the deadline",
        "import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: pass",
        ("time",),
        seconds=1.0,
    ),
    Attack(
        "output without end",
        "for _ in range(60): os.write(1, b'x' * (1 << 20))",
        ("exit",),
    ),
    Attack(
        "links in place of its folders",
        "import shutil\n"
        "for n in ('code', 'logs'):\n"
        "    os.symlink('/etc', FOLDERS[n] + '/link')\n"
        "os.symlink('/etc/passwd', FOLDERS['submission'] + '/submission.csv')",
        ("exit",),
    ),
)
HEAD = """
import os, time
ROOT = os.environ.get("MLEBENCH_ROOT", "") + "/home/"
FOLDERS = {{n: ROOT + n for n in ("submission", "logs", "code", "agent")}}
MARK = {mark!r}
def wait(): time.sleep(30); os._exit(0)
"""


def run_attacks(sandbox: Sandbox) -> list[Finding]:
    """Let every hostile agent attack a sandbox on this machine."""
    return [run_attack(sandbox, attack) for attack in ATTACKS]


def run_attack(sandbox: Sandbox, attack: Attack) -> Finding:
    """Run one hostile agent and check how its run ended and what it left behind."""
    place = Path(tempfile.mkdtemp(prefix="mlebench-attack-"))
    place.chmod(0o755)
    mark = f"attack-{secrets.token_hex(8)}"
    try:
        command = ["python3", "-c", HEAD.format(mark=mark) + attack.code]
        limits = ResourceLimits(wall_seconds=attack.seconds, **attack.limits)
        outcome = sandbox.run(scratch_job(place, command, limits))
        problem = _judge(attack, outcome) or _leftover(mark)
    except SandboxError as error:
        problem = f"the machine is blamed: {error}"
    finally:
        is_gone = remove_tree(place)
    if not problem and not is_gone:
        problem = f"its files in {place} cannot be removed"
    return Finding(attack.name, problem is None, problem or f"held; {outcome.reason}")


def _judge(attack: Attack, outcome: Outcome) -> str | None:
    """What is wrong with the end of a run; None if nothing is."""
    if outcome.ended_by not in attack.ends:
        return f"it ended by {outcome.ended_by!r} ({outcome.reason}), expected {attack.ends}"
    if outcome.seconds > attack.seconds + 10:
        return f"it ran {outcome.seconds:.1f} s, {attack.seconds:g} were granted"
    if attack.attacked is None:
        return None
    usage = outcome.usage[attack.attacked]
    most = (usage.granted or 0) * SLACK + 16 * MB * attack.attacked.endswith("_bytes")
    if usage.enforced == "kernel" and usage.used is not None and usage.used > most:
        return f"{attack.attacked} exceeded a kernel limit: {usage.used} of {usage.granted}"
    return None


def _leftover(mark: str) -> str | None:
    """Processes that carry the mark in their command line after the end of the run."""
    time.sleep(0.2)
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []  # none of a zombie
        if process.pid != os.getpid() and any(mark in word for word in words):
            return f"process {process.pid} outlived it"
    return None
