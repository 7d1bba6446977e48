"""Files and folders appear whole or not at all."""

from __future__ import annotations

import hashlib
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mlebench.system.files import atomic_file, atomic_folder, md5_of, sha256, write_atomically


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_write_replaces_content_and_sets_the_mode(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    write_atomically(file, "old")
    write_atomically(file, "né\n", mode=0o600)
    assert file.read_bytes() == "né\n".encode()
    assert file.stat().st_mode & 0o777 == 0o600
    write_atomically(file, b"\xff", is_durable=False)
    assert file.read_bytes() == b"\xff"
    assert names(tmp_path) == ["a.json"]


def test_an_error_keeps_the_old_content(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_file(file) as stream:
        stream.write(b"half")
        raise ZeroDivisionError
    assert file.read_text() == "old"
    assert names(tmp_path) == ["a.csv"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("kept")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    write_atomically(link, "new")
    assert not link.is_symlink()
    assert (tmp_path / "elsewhere").read_text() == "kept"


@pytest.mark.parametrize("is_durable", [True, False])
def test_durable_means_file_then_rename_then_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_durable: bool
) -> None:
    steps: list[str] = []
    synced, renamed = os.fsync, Path.replace

    def fsync(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        synced(descriptor)

    def replace(path: Path, target: Path) -> Path:
        steps.append("rename")
        return renamed(path, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    write_atomically(tmp_path / "a", "x", is_durable=is_durable)
    assert steps == (["file", "rename", "folder"] if is_durable else ["rename"])


def test_folder_appears_when_it_is_filled(tmp_path: Path) -> None:
    goal = tmp_path / "deep" / "goal"
    with atomic_folder(goal) as folder:
        (folder / "a").write_text("1")
        assert not goal.exists()
    assert (goal / "a").read_text() == "1"
    assert names(goal.parent) == ["goal"]
    with atomic_folder(goal) as folder:
        (folder / "b").write_text("2")
    assert names(goal) == ["a"], "the folder of the faster process stays"
    with pytest.raises(ZeroDivisionError), atomic_folder(tmp_path / "other"):
        raise ZeroDivisionError
    assert names(tmp_path) == ["deep"]


def test_folder_does_not_replace_a_file(tmp_path: Path) -> None:
    (tmp_path / "goal").write_text("a file")
    with pytest.raises(NotADirectoryError), atomic_folder(tmp_path / "goal"):
        pass
    assert (tmp_path / "goal").read_text() == "a file"


def test_hashes(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"abc")
    assert md5_of(file) == "900150983cd24fb0d6963f7d28e17f72"
    assert sha256(file) == hashlib.sha256(b"abc").hexdigest()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can do this")
def test_child_dies_with_its_parent() -> None:
    child = (
        "import os, time; from mlebench.system.children import die_with_parent;"
        " die_with_parent(); print(os.getpid(), flush=True); time.sleep(60)"
    )
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
    for _ in range(500):
        if not is_running(pid):
            return
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the child survived its parent")


def is_running(pid: int) -> bool:
    """Whether the process lives; one that has ended may wait for its new parent as a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
