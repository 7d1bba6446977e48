"""P01-P06, R02, R03, R06: processes that stay, ignored deadlines, farmed attempts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from msgspec import structs

from mlebench.catalogue import Catalogue
from mlebench.records.ledger import read_ledger
from mlebench.records.run import read_run, write_run
from mlebench.runner import run as run_module
from mlebench.runner.lease import leased
from mlebench.runner.run import Execution
from mlebench.runner.tools import open_tools
from mlebench.sandbox import supervisor
from mlebench.sandbox.registry import get_sandbox
from tests.hostile.arena import SAMPLE, Arena
from tests.processes import alive

ESCAPE = """
env -i setsid sh -c 'exec sleep 60 "$0"' "60 $MARK" >/dev/null 2>&1 &
env -i setsid sh -c 'sleep 60; : '"$MARK" >/dev/null 2>&1 &
sleep 0.3
kill -9 $PPID
sleep 1
"""


@pytest.mark.defence("pid-namespace")
def test_no_process_outlives_a_run_without_isolation(place: Path, prepared: Catalogue) -> None:
    """No variable marks it, its session is another one, and its reaper was killed."""
    arena = Arena(get_sandbox("process"), place, prepared)
    fight = arena.fight(arena.agent(SAMPLE + ESCAPE))
    try:
        fight.assert_invariant()
    finally:
        for pid in alive(arena.mark):
            os.kill(pid, 9)


def test_a_sandbox_without_isolation_has_its_own_processes(
    place: Path, prepared: Catalogue
) -> None:
    arena = Arena(get_sandbox("process"), place, prepared)
    fight = arena.fight(
        arena.agent('echo "pid $$ of $(ls /proc | grep -c "^[0-9]")"; ls /dev/shm\n')
    )
    assert re.search(r"^pid \d of", fight.log(), re.M)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("kill -9 $$", id="kills-itself", marks=pytest.mark.long),
        pytest.param("kill -9 $PPID; sleep 1; exit 1", id="kills-the-bridge"),
        pytest.param("kill -9 -1; sleep 1", id="kills-everybody", marks=pytest.mark.long),
        pytest.param(
            "echo 'CUDA error: device lost'; exit 137",
            id="says-the-gpu-is-lost",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "echo 'no space left on device' >&2; exit 28",
            id="says-the-disk-is-full",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "rm -rf $AGENT $LOGS $CODE $SUBMISSION/* 2>/dev/null; exit 1",
            id="removes",
            marks=pytest.mark.long,
        ),
    ],
)
def test_no_cause_that_an_agent_fakes_is_a_reason_to_start_it_again(
    arena: Arena, script: str
) -> None:
    if arena.sandbox.name == "process" and "-1" in script:
        pytest.skip("as root without isolation this kills the whole namespace, and only that")
    fight = arena.fight(arena.agent(script))
    fight.assert_invariant()
    assert fight.record.blame == "agent", fight.record.reason


FREEZES = """
import ctypes, shutil, signal, sys
shutil.copy(HOME_FOLDERS["data"] + "/sample_submission.csv",
            HOME_FOLDERS["submission"] + "/submission.csv")
ATTACH = 16
for pid in {1, os.getppid()}:
    if os.environ["MLEBENCH_SEED"] == "0":
        print("attached", ctypes.CDLL(None).ptrace(ATTACH, pid, 0, 0), flush=True)
"""


@pytest.mark.long
@pytest.mark.parametrize("then", ["signal.pause()", "os._exit(0)"], ids=["waits", "leaves"])
def test_an_agent_that_stops_its_first_process_stops_itself_alone(arena: Arena, then: str) -> None:
    """It ends at its limit as any other that is too slow, and the next run does not notice."""
    code = f"{FREEZES}\nif os.environ['MLEBENCH_SEED'] == '0':\n    {then}\n"
    fight = arena.fight(arena.python(code), seeds=2, seconds=6)
    fight.assert_invariant()
    frozen, other = sorted(fight.records, key=lambda record: record.seed)
    # A kernel may refuse to attach; then an agent that leaves has just ended.
    is_stopped = "attached 0" in fight.group.run(frozen.run_id).agent_log.read_text()
    waits = "pause" in then
    assert frozen.blame == ("timeout" if is_stopped or waits else None), frozen.reason
    assert frozen.score is not None
    assert other.blame is None and other.score is not None


STUBBORN = """
import signal, time
for n in range(1, 65):
    try: signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError): pass
for _ in range(3):
    if os.fork() == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
goal = HOME_FOLDERS["submission"] + "/submission.csv"
sample = open(HOME_FOLDERS["data"] + "/sample_submission.csv").read()
end = time.monotonic() + 8
open(goal, "w").write(sample)
while True:
    if time.monotonic() > end: open(goal, "w").write("late")
"""


@pytest.mark.long
@pytest.mark.timing
def test_the_deadline_does_not_ask_the_agent(arena: Arena) -> None:
    """All signals ignored, children stopped, a busy loop; what is written late does not count."""
    fight = arena.fight(arena.python(STUBBORN), seconds=1.5)
    fight.assert_invariant()
    assert fight.record.blame == "timeout"
    assert 1.5 <= (fight.record.seconds or 0) < 1.5 + supervisor.GRACE_SECONDS + 2
    assert fight.record.score is not None


def test_clocks_of_the_machine_that_jump_do_not_move_the_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The time of day is never asked; time in suspension is recorded and does not count."""
    now = {"boot": 1000.0}
    monkeypatch.setattr(time, "clock_gettime", lambda clock: now["boot"])
    monkeypatch.setattr(time, "time", lambda: pytest.fail("the time of day was asked"))
    clock = supervisor.RunClock()
    now["boot"] += 3600
    assert clock.seconds() < 1
    assert 3590 < clock.suspended() <= 3600


@pytest.mark.long
@pytest.mark.defence("started-by-the-thread-that-waits")
def test_a_thread_that_ends_does_not_end_the_run(place: Path, prepared: Catalogue) -> None:
    """The signal of a parent's death belongs to the thread that started bwrap."""
    arena = Arena(get_sandbox("bubblewrap"), place, prepared)
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            thread = threading.Thread(target=time.sleep, args=(0.01,))
            thread.start()
            thread.join()

    busy = threading.Thread(target=churn)
    busy.start()
    found: list[object] = []
    worker = threading.Thread(
        target=lambda: found.append(arena.fight(arena.agent("sleep 2\n" + SAMPLE)))
    )
    worker.start()
    worker.join()
    stop.set()
    busy.join()
    (fight,) = found
    fight.assert_invariant()  # type: ignore[attr-defined]
    assert fight.record.blame is None  # type: ignore[attr-defined]


@pytest.mark.long
def test_two_workers_with_the_same_run_start_one_agent(arena: Arena) -> None:
    """As when a cluster moves a task to another node while the first one still works on it."""
    script = 'echo started >> "$LOGS/starts"; sleep 1\n'
    group, work = arena.plan(arena.agent(script + SAMPLE))
    words = [sys.executable, "-m", "mlebench", "resume", str(group.path)]
    workers = [subprocess.Popen(words, stderr=subprocess.DEVNULL) for _ in range(2)]
    for worker in workers:
        worker.wait(60)
    fight = arena.work(group, work)
    fight.assert_invariant()
    starts = group.run(fight.record.run_id).logs / "starts"
    assert starts.read_text() == "started\n"
    assert len(read_ledger(group.ledger).entries) == 1


@pytest.mark.defence("late-writers-are-fenced")
def test_a_worker_that_comes_back_late_does_not_count(arena: Arena) -> None:
    """A node that was silent, lost its lease and writes on: its attempt is not the last one."""
    group, work = arena.plan(arena.agent(SAMPLE))
    run = group.run(group.plan.runs[0].run_id)
    with open_tools(work) as tools, leased(run) as lease:
        assert lease is not None
        late = Execution(group, run, tools, lease)
        before = structs.replace(read_run(run.state), state="collecting", attempt=1)
        # Meanwhile the run was given to another node, which has begun the second attempt.
        taken = structs.replace(before, state="running", attempt=2, fence=lease.token + 1)
        write_run(taken, run.state)
        with pytest.raises(run_module.StaleAttemptError):
            late.step(before)
    assert read_run(late.run.state).attempt == 2
    assert read_run(late.run.state).state == "running"
    assert not group.ledger.exists()


@pytest.mark.defence("errors-end-one-run")
def test_an_error_of_ours_ends_one_run_and_no_other(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever raises while one run is collected: the next seed is run all the same."""
    copy = run_module.copy_submission
    calls: list[int] = []

    def fails_once(*args: object) -> object:
        calls.append(1)
        if len(calls) == 1:
            raise RecursionError("maximum recursion depth exceeded")
        return copy(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(run_module, "copy_submission", fails_once)
    try:
        fight = arena.fight(arena.agent(SAMPLE), seeds=2)
    except RecursionError:
        pytest.fail("the error ended the group")
    first, second = fight.records
    assert (first.state, first.attempt) == ("failed", 1)
    assert "internal error: RecursionError" in (first.reason or "")
    assert (second.state, second.blame) == ("finished", None)
