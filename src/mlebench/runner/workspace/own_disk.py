"""A file system of its own for one run, so that the kernel enforces its disk limit.

Made in a sparse file beside the run (root and loop devices needed) and mounted while the agent
runs. Afterwards a bounded copy of its files goes to the run's folders.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.records.folders import RunFolder
from mlebench.sandbox.mounts import WRITABLE
from mlebench.system.commands import last_line, run_command
from mlebench.system.trees import CopyBudget, copy_tree, remove_tree

FORMAT = ("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", "-E", "lazy_itable_init=1")
MOST_SECONDS = 3600.0
COPIED_BYTES = 2 << 30
COPIED_FILES = 100_000
LEFT_OUT = "left_out.json"


def why_no_disk() -> str | None:
    """Why no file system can be made for a run; None if it can."""
    if os.geteuid() != 0:
        return "only root can mount one"
    missing = [name for name in ("mkfs.ext4", "mount", "umount") if shutil.which(name) is None]
    if missing:
        return f"{missing[0]} is not installed"
    return None if Path("/dev/loop-control").exists() else "there are no loop devices"


@contextmanager
def own_disk(run: RunFolder, size: int) -> Iterator[RunFolder]:
    """The agent's folders while it runs, on a file system of this size.

    Raises:
        SandboxError: it cannot be made or mounted.
    """
    image, place = run.path / ".disk.img", run.path / ".disk"
    unmount(place)
    place.mkdir(mode=0o700, exist_ok=True)
    with image.open("wb") as file:
        file.truncate(size)
    try:
        _call(*FORMAT, str(image))
        _call("mount", "-o", "loop,nosuid,nodev,noatime", str(image), str(place))
        inside = RunFolder(place)
        for name in WRITABLE:
            (place / name).mkdir(mode=0o700)
        yield inside
        _bring_back(inside, run)
    finally:
        unmount(place)
        remove_tree(place)
        image.unlink(missing_ok=True)


def unmount(place: Path) -> None:
    """Unmount what is mounted here, even by a killed harness; lazily, if it is still in use."""
    if os.path.ismount(place):
        run_command("umount", "-l", str(place))


def _bring_back(inside: RunFolder, run: RunFolder) -> None:
    """Copy the agent's files as far as the budget goes; `left_out.json` says how many did not."""
    budget = CopyBudget(COPIED_BYTES, COPIED_FILES)
    for name in WRITABLE:  # the submission first
        copy_tree(inside.path / name, run.path / name, budget)
    if budget.left_out:
        (run.host / LEFT_OUT).write_text(f'{{"files": {budget.left_out}}}\n')


def _call(*words: str) -> None:
    done = run_command(*words, seconds=MOST_SECONDS)
    if done.returncode:
        said = last_line(done.stderr)
        raise SandboxError(f"no file system can be made for the run: {words[0]}: {said}")
