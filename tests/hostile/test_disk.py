"""S15, H04, H09, R06: agents that fill the disk, hide what they wrote, or want another start."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from mlebench.records.run import write_run
from mlebench.runner.group import cancel_group, reopen_group
from mlebench.sandbox import disk
from tests.hostile.arena import COMPETITION, SAMPLE, Arena
from tests.hostile.as_user import fight_as_user

MB = 1 << 20


@pytest.fixture
def small_disk(place: Path) -> Iterator[Path]:
    """64 MB for all runs."""
    runs = place / "runs"
    runs.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=64m,mode=755", "hostile", str(runs)]
    if os.geteuid() or subprocess.run(words, capture_output=True).returncode:
        pytest.skip("mounting a small disk needs root")
    yield runs
    subprocess.run(["umount", "-l", str(runs)], check=True)


DEEP = """
import time
if os.environ["MLEBENCH_SEED"] == "0":
    folder = os.open(HOME_FOLDERS["code"], os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("d", dir_fd=folder)
        below = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    fill = os.open("fill", os.O_CREAT | os.O_WRONLY, dir_fd=folder)
    try:
        while True: os.write(fill, bytes(1 << 20))
    except OSError:
        time.sleep(20)
import shutil
shutil.copy(HOME_FOLDERS["data"] + "/sample_submission.csv",
            HOME_FOLDERS["submission"] + "/submission.csv")
"""


@pytest.mark.defence("trees-of-any-depth")
def test_a_deep_tree_on_a_full_disk_stops_nobody_else(arena: Arena, small_disk: Path) -> None:
    """RecursionError in every worker: the other seeds never started, and the exit code was 0."""
    agent = arena.python(DEEP)
    done = arena.command(
        *("run", "--agent", str(agent.folder), "-c", COMPETITION, "--seeds", "2"),
        *("--sandbox", arena.sandbox.name, "--profile", "small", "--hours", "0.01"),
    )
    (group,) = arena.groups()
    first, second = (json.loads(file.read_text()) for file in _states(group.path))
    assert done.returncode == 1, done.stderr
    assert (first["state"], first["blame"], first["attempt"]) == ("finished", "agent", 1)
    assert (second["state"], second["blame"]) == ("finished", None)
    assert second["score"] is not None
    assert "removed" in first["reason"]


def _states(group: Path) -> list[Path]:
    """In the order of the seeds."""
    files = group.glob(f"{COMPETITION}_*/run.json")
    return sorted(files, key=lambda file: json.loads(file.read_text())["seed"])


UNLINKED = """
import time
file = os.open(HOME_FOLDERS["code"] + "/x", os.O_CREAT | os.O_WRONLY)
os.unlink(HOME_FOLDERS["code"] + "/x")
try:
    for _ in range({blocks}):
        os.write(file, bytes(1 << 20))
        time.sleep({pause})
except OSError:
    pass
time.sleep(20)
"""


@pytest.mark.long
@pytest.mark.defence("blame-by-release")
def test_a_file_without_a_name_fills_the_disk(arena: Arena, small_disk: Path) -> None:
    """The machine was blamed, and the agent got three full attempts."""
    fight = arena.fight(arena.python(UNLINKED.format(blocks=1000, pause=0)))
    fight.assert_invariant()
    assert fight.record.blame == "agent"
    assert "free" in (fight.record.reason or "")


@pytest.mark.defence("unlinked-files-count")
def test_files_without_a_name_count(arena: Arena) -> None:
    agent = arena.python(UNLINKED.format(blocks=60, pause=0.005))
    fight = arena.fight(agent, seconds=20, disk_bytes=20 * MB)
    fight.assert_invariant()
    assert fight.record.blame == "agent", fight.record.reason
    assert fight.used("disk_bytes") > 20 * MB


IN_FLIGHT = """
import array, socket, time
file = os.open(HOME_FOLDERS["code"] + "/x", os.O_CREAT | os.O_WRONLY)
os.unlink(HOME_FOLDERS["code"] + "/x")
here, there = socket.socketpair(socket.AF_UNIX)
fds = array.array("i", [file])
here.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
mapping = None
try:
    while True: os.write(file, bytes(1 << 20))
except OSError:
    os.close(file)
time.sleep(30)
"""


@pytest.mark.long
@pytest.mark.defence("blame-by-release")
def test_a_file_in_flight_between_sockets_is_the_agents_too(arena: Arena, small_disk: Path) -> None:
    """No process holds it: only its release at the agent's end shows whose it was."""
    fight = arena.fight(arena.python(IN_FLIGHT), seconds=30)
    fight.assert_invariant()
    assert fight.record.blame == "agent"


@pytest.mark.long
def test_the_machine_is_blamed_for_what_others_wrote(arena: Arena, small_disk: Path) -> None:
    """An innocent agent on a disk that somebody else fills: a case for another attempt."""
    agent = arena.agent("sleep 20")
    patience = pytest.MonkeyPatch()
    patience.setattr(disk, "PATIENCE_SECONDS", 0.3)
    patience.setattr(disk, "RELEASE_SECONDS", 0.3)
    filler = subprocess.Popen(
        ["sh", "-c", f"sleep 1; exec dd if=/dev/zero of={small_disk}/other bs=1M 2>/dev/null"]
    )
    try:
        fight = arena.fight(agent, seconds=6)
    finally:
        patience.undo()
        filler.wait()
    assert [lost.kind for lost in fight.record.attempts][:1] == ["machine"]


NOTES = """
if [ -e "$AGENT/notes/earlier" ] || [ -e "$AGENT/hidden" ]; then echo FOUND; fi
mkdir -p "$AGENT/notes"; echo note > "$AGENT/notes/earlier"
mkdir -p "$AGENT/hidden"; echo note > "$AGENT/hidden/x"; chmod 000 "$AGENT/hidden"
mkdir -p "$LOGS/notes"; echo note > "$LOGS/notes/earlier"
"""


@pytest.mark.defence("folders-are-emptied")
def test_a_cancelled_run_starts_anew_from_empty_folders(arena: Arena) -> None:
    group, work = arena.plan(arena.agent(NOTES + SAMPLE))
    first = arena.work(group, work).record
    # As if somebody had cancelled it just before its end.
    write_run(structs.replace(first, state="cancelled"), group.run(first.run_id).state)
    cancel_group(group)
    reopen_group(group)
    fight = arena.work(group, work)
    assert fight.record.state == "finished"
    assert fight.record.attempt == 2
    assert "FOUND" not in fight.log()


HIDDEN = """
import time
folder = HOME_FOLDERS["agent"] + "/hidden"
os.mkdir(folder)
file = os.open(folder + "/x", os.O_CREAT | os.O_WRONLY)
os.chmod(folder, 0)
for _ in range(60):
    os.write(file, bytes(1 << 20))
    time.sleep(0.01)
time.sleep(20)
"""


@pytest.mark.defence("hidden-folders-count")
def test_a_folder_of_mode_000_hides_nothing_from_a_plain_user(place: Path) -> None:
    """As root every folder can be read; as a user its content was invisible and survived."""
    record = fight_as_user(place, HIDDEN, seconds=20, disk_bytes=20 * MB)
    assert record["blame"] == "agent", record["reason"]
    assert record["usage"]["disk_bytes"]["used"] > 20 * MB


@pytest.mark.long
@pytest.mark.defence("folders-are-emptied")
def test_nothing_of_a_lost_attempt_reaches_the_next_one_of_a_plain_user(place: Path) -> None:
    code = """
        import sys
        hidden = HOME_FOLDERS["agent"] + "/hidden"
        print("FOUND" if os.path.exists(hidden) else "EMPTY", flush=True)
        os.mkdir(hidden)
        open(hidden + "/notes", "w").write("what I learnt")
        os.chmod(hidden, 0)
    """
    record = fight_as_user(place, code, again=True)
    assert record["attempt"] == 2
    assert "EMPTY" in record["log"]
    assert "FOUND" not in record["log"]


@pytest.mark.long
def test_a_hostile_tree_is_no_problem_of_the_harness(arena: Arena) -> None:
    """Names of any bytes, links to everywhere, pipes, sockets, folders without rights."""
    agent = arena.python(
        """
        import socket, shutil
        for name in (b"\\xff\\xfe", b"new\\nline", b"\\x1b[31m", b"n" * 255, b"=cmd()", b"-rf"):
            os.mkdir(HOME_FOLDERS["code"].encode() + b"/" + name)
            open(HOME_FOLDERS["logs"].encode() + b"/" + name, "w").close()
        os.symlink("/", HOME_FOLDERS["code"] + "/root")
        os.symlink(".", HOME_FOLDERS["code"] + "/loop")
        os.mkfifo(HOME_FOLDERS["logs"] + "/agent.log")
        os.chdir(HOME_FOLDERS["agent"])
        socket.socket(socket.AF_UNIX).bind("s")
        os.mkdir("locked", 0)
        shutil.copy(HOME_FOLDERS["data"] + "/sample_submission.csv",
                    HOME_FOLDERS["submission"] + "/submission.csv")
        """
    )
    fight = arena.fight(agent)
    fight.assert_invariant()
    assert fight.record.score is not None
    done = arena.command("report", str(fight.group.path), "--process")
    assert done.returncode == 0, done.stderr
