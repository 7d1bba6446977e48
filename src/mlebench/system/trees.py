"""Walk, remove and copy folders that a hostile program made, of any depth, name and mode.

Everything is opened relative to a descriptor and without following links, because paths in such a
tree may be longer than the kernel accepts, and its links may lead anywhere.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_NAMES = 200_000
"""Subfolders of one folder that a walk remembers; it counts the others but does not enter them."""

DEEPEST_COPY = 64


def open_folder(name: str, parent: int | None = None, *, is_unlocked: bool = False) -> int:
    """A descriptor of a folder, with which it can be listed.

    Args:
        is_unlocked: set the owner's rights first where they are missing. A folder of mode 000
            would otherwise hide what is in it from every user but root.
    """
    try:
        folder = os.open(name, OPEN, dir_fd=parent)
    except PermissionError:
        if not is_unlocked:
            raise
        _unlock(name, parent)
        folder = os.open(name, OPEN, dir_fd=parent)
    if is_unlocked and os.fstat(folder).st_mode & 0o700 != 0o700:
        with contextlib.suppress(OSError):
            os.fchmod(folder, 0o700)
    return folder


def _unlock(name: str, parent: int | None) -> None:
    """Change the mode of exactly this folder: a link in its place is not followed."""
    handle = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        Path(f"/proc/self/fd/{handle}").chmod(0o700)
    finally:
        os.close(handle)


@dataclass
class _Level:
    """A folder on the way down: its identity, and its subfolders still to be entered."""

    inode: tuple[int, int]
    names: list[str]
    name: str = ""
    """In the folder above."""


def remove_tree(path: Path) -> bool:
    """Remove a file or a folder with all that is in it; true if nothing is left."""
    try:
        if not stat.S_ISDIR(path.lstat().st_mode):
            path.unlink()
            return True
        _empty(open_folder(os.fspath(path), is_unlocked=True))
        path.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _empty(folder: int) -> None:
    """Remove what is in a folder and close its descriptor; one other is open at a time."""
    levels: list[_Level] = []
    try:
        level = _clear(folder)
        while level.names or levels:
            if level.names:
                name = level.names.pop()
                try:
                    below = open_folder(name, folder, is_unlocked=True)
                except OSError:
                    continue
                levels.append(level)
                os.close(folder)
                folder = below
                level = _clear(folder, name)
            else:
                name, level = level.name, levels.pop()
                folder = _climb(folder, level)
                with contextlib.suppress(OSError):
                    os.rmdir(name, dir_fd=folder)
    finally:
        os.close(folder)


def _clear(folder: int, name: str = "") -> _Level:
    """Unlink the files of a folder; returns its subfolders."""
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.name, dir_fd=folder)
    return _Level(_inode(folder), names, name)


def _climb(folder: int, level: _Level) -> int:
    """Exchange a descriptor for that of the parent, which must be the one we came from."""
    above = os.open("..", OPEN, dir_fd=folder)
    if _inode(above) != level.inode:
        os.close(above)
        raise OSError("the folder was moved while we were in it")
    os.close(folder)
    return above


def walk_tree(path: Path, *, is_unlocked: bool = False) -> Iterator[os.stat_result | None]:
    """The status of everything below a folder, and None for each part that could not be read.

    One descriptor is open at a time. The tree may change meanwhile; the walk never leaves it.
    """
    try:
        folder = open_folder(os.fspath(path), is_unlocked=is_unlocked)
    except OSError:
        yield None
        return
    levels: list[_Level] = []
    try:
        level = yield from _list(folder)
        while level.names or levels:
            if not level.names:
                level = levels.pop()
                folder = _climb(folder, level)
                continue
            try:
                below = open_folder(level.names.pop(), folder, is_unlocked=is_unlocked)
            except OSError:
                yield None
                continue
            levels.append(level)
            os.close(folder)
            folder = below
            level = yield from _list(folder)
    except OSError:
        yield None
    finally:
        os.close(folder)


def _list(folder: int) -> Generator[os.stat_result | None, None, _Level]:
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                yield entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    if len(names) < MOST_NAMES:
                        names.append(entry.name)
                    else:
                        yield None
    return _Level(_inode(folder), names)


def _inode(folder: int) -> tuple[int, int]:
    found = os.fstat(folder)
    return found.st_dev, found.st_ino


@dataclass
class CopyBudget:
    """How much a copy may still take, and how many entries it left out."""

    bytes: int
    files: int
    left_out: int = 0


def copy_tree(source: Path, goal: Path, budget: CopyBudget, depth: int = 0) -> None:
    """Copy regular files and folders; links, pipes and what is beyond the budget stay behind."""
    try:
        folder = open_folder(os.fspath(source), is_unlocked=True)
    except OSError:
        budget.left_out += 1
        return
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                is_folder = entry.is_dir(follow_symlinks=False)
                budget.files -= 1
                if budget.files < 0 or (is_folder and depth >= DEEPEST_COPY):
                    budget.left_out += 1
                elif is_folder:
                    (goal / entry.name).mkdir(mode=0o700, exist_ok=True)
                    copy_tree(source / entry.name, goal / entry.name, budget, depth + 1)
                else:
                    _copy_file(entry.name, folder, goal / entry.name, budget)
    finally:
        os.close(folder)


def _copy_file(name: str, folder: int, goal: Path, budget: CopyBudget) -> None:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        source = os.open(name, flags, dir_fd=folder)
    except OSError:
        budget.left_out += 1
        return
    with os.fdopen(source, "rb") as stream:
        found = os.fstat(source)
        if not stat.S_ISREG(found.st_mode) or found.st_size > budget.bytes:
            budget.left_out += 1
            return
        with goal.open("xb") as copy:
            while budget.bytes > 0 and (block := stream.read(min(1 << 20, budget.bytes))):
                copy.write(block)
                budget.bytes -= len(block)
