"""S14, S15, P01-P07: agents that take too much, stay too long, or do not want to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.sandbox import disk
from mlebench.sandbox.output import CappedLog
from mlebench.sandbox.procfs import boot_id, start_time
from tests.processes import alive
from tests.sandbox.conftest import (
    OTHER_USER,
    SYSTEM_PYTHON,
    World,
    packages_for_others,
    why_no_other_user,
)
from tests.waiting import wait_for


def test_S14_too_much_memory_ends_the_run(any_world: World) -> None:
    outcome = any_world.python(
        """
        import os, time
        for _ in range(6):
            if os.fork() == 0:
                held = bytearray(os.urandom(1)) * (100 << 20); time.sleep(100)
        time.sleep(100)
        """,
        seconds=90,
        memory_bytes=250 << 20,
    )
    assert outcome.ended_by == "memory", (outcome, any_world.printed())
    usage = outcome.usage["memory_bytes"]
    assert usage.granted == 250 << 20
    assert (usage.used or 0) > 200 << 20
    assert usage.enforced in ("kernel", "polled")


def test_S14_memory_taken_at_once_is_told(world: World) -> None:
    """The kernel may end the agent between two looks of the watcher."""
    outcome = world.python("bytearray(b'x') * (900 << 20)", memory_bytes=100 << 20)
    kernel = outcome.usage["memory_bytes"].enforced == "kernel"
    assert outcome.ended_by == "memory" or not kernel, outcome
    assert not kernel or outcome.facts["oom_kills"]


def test_what_is_used_is_written_down(world: World) -> None:
    job = replace(world.job("sleep", "0.1"), resources=world.place / "resources.jsonl")
    outcome = world.sandbox.run(job)
    line = json.loads((world.place / "resources.jsonl").read_text().splitlines()[0])
    assert set(line) == {"seconds", "memory_bytes", "cpu_seconds", "processes", "disk_bytes"}
    assert set(outcome.usage) >= {"wall_seconds", "cpus", "memory_bytes", "processes"}


def test_S14_memory_files_count(world: World) -> None:
    outcome = world.python(
        """
        import time
        held = [open(f"/dev/shm/{n}", "wb").write(bytes(20 << 20)) for n in range(4)]
        more = [bytearray(b"x") * (20 << 20) for n in range(9)]
        time.sleep(100)
        """,
        seconds=90,
        memory_bytes=200 << 20,
        shm_bytes=100 << 20,
    )
    assert outcome.ended_by == "memory", outcome


def test_S14_too_many_processes_end_the_run(any_world: World) -> None:
    outcome = any_world.python(
        """
        import os, time
        for _ in range(200):
            try:
                if os.fork() == 0: time.sleep(100); os._exit(0)
            except OSError: pass
        time.sleep(100)
        """,
        seconds=90,
        processes=50,
    )
    assert outcome.ended_by == "processes", outcome
    if any_world.sandbox.name == "bubblewrap":
        assert outcome.usage["processes"].enforced == "kernel"
        assert (outcome.usage["processes"].used or 0) <= 50 + 16


def test_S14_fork_bomb_is_stopped(world: World) -> None:
    code = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"
    assert world.python(code, seconds=90, processes=64).ended_by == "processes"


def test_S14_limits_hold_for_a_plain_user(tmp_path: Path) -> None:
    """Without root, `RLIMIT_NPROC` counts inside the sandbox's own user namespace."""
    if reason := why_no_other_user():
        pytest.skip(reason)
    code = """
        import sys, tempfile
        from dataclasses import replace
        from pathlib import Path
        from mlebench.sandbox.base import ResourceLimits
        from mlebench.sandbox.bubblewrap import BubblewrapSandbox
        from mlebench.sandbox.mounts import scratch_job
        def run(agent, **limits):
            with tempfile.TemporaryDirectory() as place:
                job = scratch_job(Path(place), ["python3", "-c", agent],
                                  ResourceLimits(wall_seconds=90, **limits))
                outcome = BubblewrapSandbox().run(job)
                print(outcome.ended_by, *(outcome.usage[name].enforced for name in limits))
        run("import os\\nwhile True:\\n try: os.fork()\\n except OSError: pass", processes=40)
        run("x = [bytearray(b'x') * (50 << 20) for _ in range(20)]", memory_bytes=200 << 20)
    """
    done = subprocess.run(
        [*OTHER_USER, SYSTEM_PYTHON, "-c", textwrap.dedent(code)],
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(packages_for_others()),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        cwd="/",
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "processes kernel", done.stderr
    assert lines[1].startswith("memory")


def test_S15_too_much_disk_ends_the_run(any_world: World) -> None:
    outcome = any_world.shell(
        "dd if=/dev/zero of=/home/submission/fill bs=1M count=1000 2>/dev/null; sleep 100",
        seconds=90,
        disk_bytes=50 << 20,
    )
    assert outcome.ended_by == "disk", outcome
    assert (outcome.usage["disk_bytes"].used or 0) > 50 << 20


def test_S15_many_empty_files_count(world: World) -> None:
    outcome = world.python(
        """
        import itertools
        for n in itertools.count(): open(f"/home/code/{n}", "w").close()
        """,
        seconds=90,
        disk_bytes=2 << 20,
    )
    assert outcome.ended_by == "disk", outcome


def test_S15_sparse_file_takes_no_disk(world: World) -> None:
    outcome = world.shell("truncate -s 1T /home/code/big; sleep 0.5", disk_bytes=50 << 20)
    assert outcome.ended_by == "exit"
    assert (outcome.usage["disk_bytes"].used or 0) < 1 << 20


def test_S15_reserve_of_the_file_system(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    found = os.statvfs(world.place)
    free = found.f_bavail * found.f_frsize
    monkeypatch.setattr(disk.DiskMeter, "free", lambda self: free - self.peak * 1000)
    monkeypatch.setattr(disk, "RESERVE_BYTES", 1 << 20)
    code = "dd if=/dev/zero of=/home/code/x bs=1M count=400 2>/dev/null; sleep 100"
    outcome = world.shell(code, seconds=90)
    assert outcome.ended_by == "disk", outcome
    assert "are free" in outcome.reason


DAEMON = """
import os, signal, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT): signal.signal(n, signal.SIG_IGN)
for fd in (0, 1, 2): os.close(fd)
where = sys.argv[1]
while True:
    time.sleep(0.05)
    open(where, "w").write(str(time.time()))
"""


def test_P01_daemons_end_with_the_run(any_world: World) -> None:
    mark = f"late-writer-{os.getpid()}"
    file = any_world.place / "submission" / "submission.csv"
    script = f'python3 -c "$0" $1 {mark}; until [ -s "$1" ]; do sleep 0.05; done'
    outcome = any_world.run("sh", "-c", script, DAEMON, "/home/submission/submission.csv")
    assert outcome.ended_by == "exit"
    assert alive(mark) == []
    before = file.read_bytes()
    time.sleep(0.5)
    assert file.read_bytes() == before


def test_P01_daemon_that_kills_its_starter_gets_nowhere(any_world: World) -> None:
    mark = f"orphan-{os.getpid()}"
    any_world.shell(f"(setsid sh -c 'sleep 50; : {mark}' &); sleep 0.2; kill -9 $PPID; sleep 1")
    assert alive(mark) == []


HARNESS = """
import sys, tempfile
from dataclasses import replace
from pathlib import Path
from mlebench.sandbox.registry import get_sandbox
from mlebench.sandbox.base import ResourceLimits
from mlebench.sandbox.mounts import scratch_job
sandbox, mark, facts = sys.argv[1:]
place = Path(tempfile.mkdtemp(dir=Path(facts).parent))
job = scratch_job(place, ["sh", "-c", f"(setsid sleep 60 {mark} &); exec sleep 60 {mark}"],
                  ResourceLimits(wall_seconds=60))
import json
get_sandbox(sandbox).run(job, on_start=lambda f: Path(facts).write_text(json.dumps(f)))
"""


def test_P02_nothing_survives_the_harness(any_world: World) -> None:
    sandbox = any_world.sandbox.name
    for milliseconds in (0, 30, 60, 80, 100, 120, 150, 200, 400):
        mark = f"7{os.getpid()}{milliseconds}"
        facts = any_world.place / f"facts-{milliseconds}"
        harness = subprocess.Popen([sys.executable, "-c", HARNESS, sandbox, mark, str(facts)])
        time.sleep(milliseconds / 1000)
        harness.send_signal(signal.SIGKILL)
        harness.wait()
        wait_for(lambda mark=mark: not alive(mark))  # type: ignore[misc]
        if facts.exists() and facts.read_text():
            assert any_world.sandbox.end_leftovers(json.loads(facts.read_text()))


def test_P03_start_from_a_thread_beside_others_that_end(world: World) -> None:
    outcomes = []
    starter = threading.Thread(target=lambda: outcomes.append(world.shell("sleep 1; echo done")))
    starter.start()
    for _ in range(5):
        passing = threading.Thread(target=time.sleep, args=(0.05,))
        passing.start()
        passing.join()
    starter.join()
    assert outcomes[0].ended_by == "exit"
    assert world.printed() == "done\n"


def test_P04_frozen_first_process_does_not_stop_the_clock(world: World) -> None:
    outcome = world.python(
        """
        import ctypes, os, signal
        libc = ctypes.CDLL(None)
        for pid in (1, os.getppid()):
            libc.ptrace(16, pid, 0, 0)
        if os.fork(): os._exit(0)
        signal.pause()
        """,
        seconds=2,
    )
    assert outcome.seconds < 60


def test_P04_stopped_processes_end_at_the_deadline(any_world: World) -> None:
    outcome = any_world.shell("kill -STOP $$", seconds=1)
    assert outcome.ended_by == "time"
    assert outcome.seconds < 60


def test_P05_output_that_a_daemon_holds_open(any_world: World) -> None:
    outcome = any_world.shell("(setsid sleep 600 &); echo done", seconds=120)
    assert outcome.ended_by == "exit"
    assert outcome.seconds < 60
    assert any_world.printed().endswith("done\n")


def test_P05_endless_output_keeps_its_ends(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "mlebench.sandbox.channels.CappedLog",
        lambda path: CappedLog(path, 1000, 2000),
    )
    world.shell("echo first; head -c 200000000 /dev/zero; echo; echo last", seconds=30)
    text = world.log.read_bytes()
    assert text.startswith(b"first\n")
    assert text.endswith(b"\nlast\n")
    assert b"bytes left out" in text
    assert len(text) < 3100


@pytest.mark.parametrize("chunk", [1, 7, 100, 1000])
def test_P05_capped_log_keeps_first_and_last(tmp_path: Path, chunk: int) -> None:
    data = bytes(range(256)) * 4
    log = CappedLog(tmp_path / "log", head=50, tail=60)
    for start in range(0, len(data), chunk):
        log.write(data[start : start + chunk])
    log.close()
    text = (tmp_path / "log").read_bytes()
    assert text == data[:50] + b"\n[\xe2\x80\xa6 914 bytes left out \xe2\x80\xa6]\n" + data[-60:]
    assert list(tmp_path.iterdir()) == [tmp_path / "log"]


def test_P06_deaf_agent_ends_after_the_grace(any_world: World) -> None:
    outcome = any_world.python(
        """
        import signal
        for n in range(1, 65):
            try: signal.signal(n, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True: pass
        """,
        seconds=1,
    )
    assert outcome.ended_by == "time"
    assert 1 + 3 <= outcome.seconds < 60
    assert outcome.exit_code is None


@pytest.mark.timing
def test_P06_polite_agent_may_write_down_what_it_has(any_world: World) -> None:
    code = "trap 'echo late > /home/submission/submission.csv; exit' TERM; sleep 600 & wait"
    outcome = any_world.shell(code, seconds=1)
    assert outcome.ended_by == "time"
    assert (any_world.place / "submission" / "submission.csv").read_text() == "late\n"
    assert outcome.seconds < 1 + 3


def test_P06_cancelled_run_ends(any_world: World) -> None:
    asked = []

    def is_cancelled() -> bool:
        asked.append(1)
        return len(asked) > 1

    outcome = any_world.sandbox.run(
        any_world.job("sleep", "600", seconds=600), is_cancelled=is_cancelled
    )
    assert outcome.ended_by == "cancelled"
    assert outcome.seconds < 60


def test_P07_another_process_with_the_same_pid_survives(any_world: World) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        facts = {"pid": other.pid, "start": 12345, "boot": boot_id()}
        assert any_world.sandbox.end_leftovers({"init": facts, "monitor": facts})
        assert other.poll() is None
        real = {**facts, "start": start_time(other.pid)}
        assert any_world.sandbox.end_leftovers({"init": {**real, "boot": "another"}})
        assert other.poll() is None
        other.kill()


def test_P07_many_runs_leave_nothing_behind(any_world: World) -> None:
    def count() -> tuple[int, int, int]:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        lines = Path("/proc/self/mounts").read_text().splitlines()
        # Others may mount things meanwhile; ours have our name or are in the world's folder.
        mounts = sum("mlebench" in line or str(any_world.place) in line for line in lines)
        return len(list(Path("/proc/self/fd").iterdir())), len(children), mounts

    limits = {"memory_bytes": 1 << 30, "processes": 100}
    any_world.run("true", **limits)
    before = count()
    for _ in range(5):
        any_world.run("true", **limits)
    assert count() == before


def test_exit_code_is_told(any_world: World) -> None:
    outcome = any_world.shell("exit 7")
    assert (outcome.ended_by, outcome.exit_code) == ("exit", 7)
    missing = any_world.run("no-such-program")
    assert missing.exit_code == 127
    assert "cannot start" in any_world.printed()


def test_on_start_is_told_before_the_first_instruction(any_world: World) -> None:
    seen = []

    def on_start(facts: object) -> None:
        time.sleep(0.3)
        seen.append((facts, list((any_world.place / "submission").iterdir())))

    any_world.sandbox.run(any_world.job("sh", "-c", "touch /home/submission/x"), on_start=on_start)
    assert seen[0][1] == []
