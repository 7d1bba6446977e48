"""Correct or absent: killed, out of space, twice at once, on odd file systems."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mlebench.archives import writing
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import BenchError, DataError, UsageError
from mlebench.preparing import prepare as preparing
from mlebench.preparing import staging
from mlebench.preparing.options import PrepareOptions, Rehearsal
from mlebench.preparing.prepare import prepare
from mlebench.preparing.verify import verify
from mlebench.records.manifest import FILE_LIST, read_manifest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def leaves(tmp_path: Path) -> LocatedCompetition:
    """A small competition with a picture per row, prepared with seed 1."""
    competition = Catalogue(tmp_path / "data").get_competition("leaf-classification")
    prepare(competition, Rehearsal(1))
    return competition


def prepare_again(competition: LocatedCompetition) -> None:
    prepare(competition, Rehearsal(2))


def require_old_state(competition: LocatedCompetition) -> None:
    manifest = read_manifest(competition.folder)
    assert manifest is not None
    assert manifest.seed == 1
    assert verify(competition).verdict == "same"
    assert sorted(p.name for p in competition.folder.path.iterdir()) == [".lock", "prepared"]


@pytest.mark.long
def test_killed_at_a_hundred_moments(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.preparing.kill_loop", tmp_path, "leaf-classification"]
    # A kill at a step always hits; one after a time may come too late on a busy machine.
    done = subprocess.run([*command, "25", "100"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["faults"] == []
    assert result["killed"] >= 100
    assert result["left"] == [".lock", "prepared"]
    assert result["is_same"]


@pytest.mark.parametrize("number", [1, 2, 30, 110, 111])
def test_full_disk_at_any_write(
    number: int, leaves: LocatedCompetition, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = number

    def full(target: int, data: bytes) -> int:
        nonlocal left
        left -= 1
        if left <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return os.write(target, data)

    if number == 111:
        monkeypatch.setattr(preparing, "write_manifest", lambda *_: full(0, b""))
        left = 1
    else:
        monkeypatch.setattr(writing, "write_all", full)
    with pytest.raises(DataError, match="the disk is full") as raised:
        prepare_again(leaves)
    assert "MB free" in str(raised.value)
    require_old_state(leaves)


@pytest.mark.parametrize("options", ["size=1m", "size=100m,nr_inodes=60"])
def test_full_disk_for_real(options: str, tmp_path: Path) -> None:
    script = f"""
        mount -t tmpfs -o {options} none {tmp_path}
        {sys.executable} -m mlebench prepare -c leaf-classification --rehearsal --scale 8 \
            --data-dir {tmp_path} --json
        echo "code $?"
        find {tmp_path} -mindepth 2
    """
    command = ["unshare", "-Urm", "bash", "-c", script]
    if not shutil.which("unshare") or subprocess.run(["unshare", "-Urm", "true"]).returncode:
        pytest.skip("no user namespaces here")
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert "code 1" in done.stdout, done.stdout + done.stderr
    assert "the disk is full" in done.stdout
    assert "Traceback" not in done.stderr
    left = done.stdout.split("code 1")[1].split()
    assert [Path(path).name for path in left] == [".lock"]


def test_failed_sync_is_final(leaves: LocatedCompetition, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(folder: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(folder))

    monkeypatch.setattr(staging, "sync", failing)
    with pytest.raises(DataError, match="Input/output error"):
        prepare_again(leaves)
    require_old_state(leaves)


def test_order_of_the_last_steps(
    leaves: LocatedCompetition, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is on the disk before the rename; the rename is before the call returns."""
    steps: list[str] = []

    def noting(name: str, function: Callable[..., object]) -> Callable[..., object]:
        def noted(*args: object) -> object:
            steps.append(name)
            return function(*args)

        return noted

    for name in ("sync", "_exchange", "sync_folder"):
        monkeypatch.setattr(staging, name, noting(name, getattr(staging, name)))
    prepare_again(leaves)
    assert steps == ["sync", "_exchange", "sync_folder"]


def test_two_renames_where_folders_cannot_change_places(
    leaves: LocatedCompetition, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "_exchange", lambda one, other: False)
    prepare_again(leaves)
    assert read_manifest(leaves.folder).seed == 2  # type: ignore[union-attr]
    leaves.folder.prepared.rename(leaves.folder.path / staging.REPLACED)
    # As after a kill between the two renames: the old data comes back before anything else.
    staging.clear_leftovers(leaves.folder)
    assert read_manifest(leaves.folder).seed == 2  # type: ignore[union-attr]
    assert verify(leaves).verdict == "same"


def test_rename_that_is_done_but_reported_as_failed(
    leaves: LocatedCompetition, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange = staging._exchange

    def confused(one: Path, other: Path) -> bool:
        exchange(one, other)
        raise FileNotFoundError(errno.ENOENT, "stale", str(one))

    monkeypatch.setattr(staging, "_exchange", confused)
    prepare_again(leaves)
    assert read_manifest(leaves.folder).seed == 2  # type: ignore[union-attr]


def test_no_locks_on_this_disk(leaves: LocatedCompetition, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refusing)
    with pytest.raises(UsageError, match="has no locks"):
        prepare_again(leaves)
    require_old_state(leaves)


def test_leftovers_of_a_killed_run_go(leaves: LocatedCompetition) -> None:
    left = leaves.folder.path / f"{staging.STAGING}dead"
    (left / "prepared" / "public").mkdir(parents=True)
    (left / "prepared" / "public" / "train.csv").write_text("half")
    prepare_again(leaves)
    assert not left.exists()


def test_preparation_that_fails_leaves_the_old_data(leaves: LocatedCompetition) -> None:
    def failing(raw: object, public: Path, private: Path) -> None:
        (public / "train.csv").write_text("half")
        raise DataError("the raw data is wrong")

    broken = replace(leaves, definition=replace(leaves.definition, prepare=failing))
    with pytest.raises(BenchError, match="is wrong"):
        prepare_again(broken)
    require_old_state(leaves)


def start(*words: object, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "mlebench", *map(str, words)],
        cwd=ROOT,
        text=True,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        **options,  # type: ignore[call-overload]
    )


def test_two_processes_one_waits_and_says_so(tmp_path: Path) -> None:
    words = ("prepare", "-c", "spaceship-titanic", "--rehearsal", "--data-dir", tmp_path)
    folder = Catalogue(tmp_path).get_competition("spaceship-titanic").folder
    with staging.locked(folder, lambda phase, done=0, total=0: None):
        both = [start(*words), start(*words)]
        time.sleep(0.2)
        assert all(process.poll() is None for process in both)
        for process in both:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert "waiting for another process" in line
            assert str(os.getpid()) in line
    said = [process.communicate(timeout=120)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum("prepared already" in text for text in said) == 1
    assert sorted(p.name for p in folder.path.iterdir()) == [".lock", "prepared"]


def test_lock_of_a_killed_process_blocks_nobody(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path).get_competition("spaceship-titanic")
    code = (
        "import sys, time; from pathlib import Path\n"
        "from mlebench.preparing.staging import locked\n"
        "from mlebench.preparing.options import silent\n"
        "from mlebench.records.folders import CompetitionFolder\n"
        f"with locked(CompetitionFolder(Path({str(tmp_path)!r}), {competition.id!r}), silent):\n"
        "    print('held', flush=True); time.sleep(100)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        holder.send_signal(signal.SIGKILL)
    prepare(competition, Rehearsal())
    assert read_manifest(competition.folder) is not None


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_modes_whatever_the_umask(umask: int, tmp_path: Path) -> None:
    competition = Catalogue(tmp_path).get_competition("leaf-classification")
    before = os.umask(umask)
    try:
        prepare(competition, Rehearsal())
    finally:
        os.umask(before)
    expected = {"public": (0o644, 0o755), "private": (0o600, 0o700)}
    for part, (file_mode, folder_mode) in expected.items():
        root = competition.folder.prepared / part
        for path in (root, *root.rglob("*")):
            status = path.stat()
            assert stat.S_IMODE(status.st_mode) == (folder_mode if path.is_dir() else file_mode)
            assert status.st_mtime == writing.CONSTANT_TIME


def test_same_input_same_bytes(leaves: LocatedCompetition) -> None:
    first = (leaves.folder.prepared / FILE_LIST).read_bytes()
    facts = leaves.folder.manifest.read_bytes()
    prepare(leaves, options=PrepareOptions(rehearsal=Rehearsal(1), force=True))
    assert (leaves.folder.prepared / FILE_LIST).read_bytes() == first
    assert leaves.folder.manifest.read_bytes() == facts
