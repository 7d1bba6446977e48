"""F01, F03: a full disk at any byte of a record, and a sync that fails once."""

from __future__ import annotations

import errno
import hashlib
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec import structs

from mlebench.records.folders import RunFolder
from mlebench.records.ledger import append_entry, read_ledger
from mlebench.records.run import read_run, write_run
from mlebench.runner.plan import make_run_folders
from mlebench.runner.workspace.collect import copy_submission
from tests.records.test_contract import RUN
from tests.records.test_ledger import grading

STEP = 57


@contextmanager
def full_after(size: int) -> Iterator[None]:
    """The kernel refuses all bytes of a file behind the first ones, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.defence("files-are-replaced")
def test_a_disk_that_is_full_at_any_byte_leaves_the_old_record(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    old = RUN
    write_run(old, file)
    written = file.read_bytes()
    new = structs.replace(old, attempt=old.attempt + 1)
    for size in range(0, file.stat().st_size, STEP):
        with full_after(size), pytest.raises(OSError, match="File too large"):
            write_run(new, file)
        assert file.read_bytes() == written
        assert list(tmp_path.iterdir()) == [file]
    write_run(new, file)
    assert read_run(file) == new


def test_a_ledger_on_a_full_disk_goes_on_when_there_is_space(tmp_path: Path) -> None:
    file = tmp_path / "ledger.jsonl"
    append_entry(file, grading("a"))
    whole = file.stat().st_size
    for size in range(whole, 2 * whole - STEP, STEP):
        with full_after(size), pytest.raises(OSError, match="File too large"):
            append_entry(file, grading("b"))
        assert [entry.run_id for entry in read_ledger(file).entries] == ["a"]
    append_entry(file, grading("c"))
    found = read_ledger(file)
    assert [entry.run_id for entry in found.entries] == ["a", "c"]
    assert not found.problems


def test_a_submission_that_does_not_fit_is_not_sealed(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    make_run_folders(run)
    data = b"id,x\n" + b"1,2\n" * 1000
    (run.submission / "submission.csv").write_bytes(data)
    with full_after(2000):
        sealed = copy_submission(run, run.sealed_submission, 1 << 20)
    assert sealed.problem == "submission.csv cannot be copied: File too large"
    assert sealed.sha256 is None
    assert not run.sealed_submission.exists()
    sealed = copy_submission(run, run.sealed_submission, 1 << 20)
    assert sealed.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.defence("failed-sync-is-final")
def test_a_failed_sync_is_final(tmp_path: Path) -> None:
    """The kernel forgets the pages, so that a second sync succeeds without them."""
    file = tmp_path / "run.json"
    old = RUN
    write_run(old, file)
    failing = patch("os.fsync", side_effect=[OSError(errno.EIO, "Input/output error"), None, None])
    with failing, pytest.raises(OSError, match="Input/output error"):
        write_run(structs.replace(old, attempt=old.attempt + 1), file)
    assert read_run(file) == old
    assert list(tmp_path.iterdir()) == [file]
