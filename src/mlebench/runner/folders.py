"""The folders of one run: empty before every attempt, and never too full to write its record."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from mlebench.errors import SandboxError
from mlebench.records.folders import RunFolder
from mlebench.runner.plan import make_run_folders
from mlebench.sandbox import disk
from mlebench.system.trees import remove_tree

BALLAST_BYTES = 4 << 20
"""More than `run.json`, a report and a ledger entry take."""


def empty_folders(run: RunFolder, attempt: int) -> None:
    """Let nothing of an earlier attempt reach the next one.

    What cannot be removed is put aside under another name, which needs no right on the folder.

    Raises:
        SandboxError: a folder can be neither removed nor put aside.
    """
    for folder in (run.submission, run.logs, run.code, run.agent, run.host):
        if remove_tree(folder):
            continue
        try:
            folder.rename(run.path / f".discarded-{attempt}-{folder.name}")
        except OSError as error:
            raise SandboxError(f"{folder} cannot be emptied: {error.strerror}") from None
    make_run_folders(run)


@contextmanager
def ballast(run: RunFolder) -> Iterator[None]:
    """Disk space that is held while the agent runs and free when its end is recorded."""
    file = run.host / "ballast"
    with file.open("wb") as stream:
        os.posix_fallocate(stream.fileno(), 0, BALLAST_BYTES)
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()


def free_disk(run: RunFolder) -> bool:
    """Remove what a run that filled the disk left, except its submission: others need the space.

    Returns:
        Whether that was necessary.
    """
    if shutil.disk_usage(run.path).free >= disk.RESERVE_BYTES:
        return False
    for folder in (run.logs, run.code, run.agent):
        remove_tree(folder)
    with suppress(OSError), os.scandir(run.submission) as entries:
        for entry in entries:
            if entry.name != "submission.csv":
                remove_tree(run.submission / entry.name)
    make_run_folders(run)
    return True
