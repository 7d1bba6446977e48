"""The files of a folder that belong to an agent: never data, answers, runs or environments."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mlebench.catalogue.layout import published_ids
from mlebench.errors import UsageError

LEFT_OUT = {"__pycache__", "node_modules", ".git", ".hg", ".svn"}
"""Caches, and histories: what was deleted from a repository is still in there."""


def program_files(folder: Path, excluded: Sequence[Path] = ()) -> Iterator[Path]:
    """Regular files below a folder in a fixed order, without what an agent must not see.

    Folders with prepared or raw data, run groups or virtual environments are recognised by their
    content, whatever their name. Symbolic links are left out unless they lead to a file that
    is included itself.

    Args:
        excluded: further folders to leave out: the data folder and the runs folder in use.
    """
    root = folder.resolve()
    places = [place.resolve() for place in excluded]
    for place in places:
        if root.is_relative_to(place):
            raise UsageError(
                f"the agent's folder {folder} is inside {place}, which contains data or runs;"
                " move the agent to a folder of its own"
            )
    for home, folders, names in os.walk(root):
        here = Path(home)
        folders[:] = sorted(
            name
            for name in folders
            if name not in LEFT_OUT and (here / name) not in places and not holds_data(here / name)
        )
        for name in sorted(names):
            file = here / name
            if _is_own(file, root, places):
                yield folder / file.relative_to(root)


def _is_own(file: Path, root: Path, places: Sequence[Path]) -> bool:
    if not file.is_file():
        return False
    if not file.is_symlink():
        return True
    target = file.resolve()
    if not target.is_relative_to(root) or any(target.is_relative_to(p) for p in places):
        return False
    inside = [*target.relative_to(root).parents][:-1]
    return not any(holds_data(root / parent) for parent in inside)


def holds_data(folder: Path) -> bool:
    """Whether a folder is data of a competition, a run, a group of runs, or an environment."""
    return (
        (folder / "pyvenv.cfg").is_file()
        or ((folder / "run.json").is_file() and (folder / "host").is_dir())
        or ((folder / "metadata.json").is_file() and any(folder.glob("*/run.json")))
        or ((folder / "private").is_dir() and (folder / "public").is_dir())
        or (folder / "prepared" / "manifest.json").is_file()
        or (folder / f"{folder.name}.zip").is_file()
        or ((folder / "raw").is_dir() and folder.name in published_ids())
    )


def copy_files(files: Iterable[Path], source: Path, goal: Path) -> None:
    """Copy files below one folder to the same places below another."""
    for file in files:
        target = goal / file.relative_to(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        # In a container the agent may be another user.
        target.parent.chmod(0o755)
        shutil.copy(file, target)
