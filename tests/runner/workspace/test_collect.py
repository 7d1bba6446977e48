"""Taking a submission over from a hostile folder: sealed, or a reason, and nothing else is read."""

from __future__ import annotations

import hashlib
import os
import socket
import threading
from pathlib import Path

import pytest

from mlebench.records.folders import RunFolder
from mlebench.records.run import SealedSubmission
from mlebench.runner.plan import make_run_folders
from mlebench.runner.workspace.collect import copy_submission


def seal_submission(run: RunFolder, max_bytes: int = 4 << 30) -> SealedSubmission:
    """As the runner does once the agent has ended."""
    return copy_submission(run, run.sealed_submission, max_bytes)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path / "run")
    make_run_folders(folder)
    return folder


def test_an_honest_file_is_sealed_with_its_hash(run: RunFolder) -> None:
    (run.submission / "submission.csv").write_bytes(b"id,x\n1,2\n")
    sealed = seal_submission(run)
    assert sealed.exists
    assert sealed.sha256 == hashlib.sha256(b"id,x\n1,2\n").hexdigest()
    assert run.sealed_submission.read_bytes() == b"id,x\n1,2\n"
    assert run.sealed_submission.stat().st_mode & 0o7777 == 0o600


def test_no_file_is_no_problem(run: RunFolder) -> None:
    sealed = seal_submission(run)
    assert (sealed.exists, sealed.problem) == (False, None)


def test_h01_links_are_never_followed(run: RunFolder, tmp_path: Path) -> None:
    secret = tmp_path / "answers.csv"
    secret.write_text("canary")
    link = run.submission / "submission.csv"
    for target in (secret, tmp_path / "gone", Path("/dev/zero")):
        link.symlink_to(target)
        sealed = seal_submission(run)
        assert "symbolic link" in (sealed.problem or "")
        assert not run.sealed_submission.exists()
        link.unlink()
    run.submission.rmdir()
    run.submission.symlink_to(tmp_path)
    assert "symbolic link" in (seal_submission(run).problem or "")
    assert not run.sealed_submission.exists()


@pytest.mark.timeout(60)
def test_h02_what_is_no_file_does_not_block(
    run: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = run.submission / "submission.csv"
    os.mkfifo(place)
    assert "not a regular file" in (seal_submission(run).problem or "")
    place.unlink()
    place.mkdir()
    assert "not a regular file" in (seal_submission(run).problem or "")
    place.rmdir()
    with socket.socket(socket.AF_UNIX) as bound:
        # A socket's path may have 107 characters at most.
        monkeypatch.chdir(place.parent)
        bound.bind(place.name)
        assert seal_submission(run).problem
    assert not run.sealed_submission.exists()


def test_h03_a_file_that_keeps_changing_is_refused(run: RunFolder) -> None:
    place = run.submission / "submission.csv"
    place.write_bytes(b"x" * (64 << 20))
    stop = threading.Event()

    def rewrite() -> None:
        while not stop.is_set():
            with place.open("r+b") as stream:
                stream.write(b"y")

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        sealed = seal_submission(run)
    finally:
        stop.set()
        writer.join()
    assert "changed" in (sealed.problem or "")
    assert not run.sealed_submission.exists()


@pytest.mark.timeout(60)
def test_h04_a_sparse_giant_is_refused_unread(run: RunFolder) -> None:
    with (run.submission / "submission.csv").open("wb") as stream:
        stream.truncate(4 << 40)
    assert "bytes, more than" in (seal_submission(run, max_bytes=1 << 20).problem or "")


def test_d02_special_bits_do_not_come_along(run: RunFolder) -> None:
    place = run.submission / "submission.csv"
    place.write_bytes(b"id\n1\n")
    place.chmod(0o6755)
    seal_submission(run)
    assert run.sealed_submission.stat().st_mode & 0o7000 == 0
