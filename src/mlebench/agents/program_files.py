"""Which files of a folder make an agent: never data, answers, runs or environments beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from mlebench.catalogue.layout import published_ids
from mlebench.errors import UsageError

LEFT_OUT = {"__pycache__", "node_modules"}


def program_files(folder: Path, excluded: Sequence[Path] = ()) -> Iterator[Path]:
    """Regular files below a folder in a fixed order, without what an agent must not see.

    Folders that hold prepared or raw data, run groups or virtual environments are recognised by
    what is in them, whatever they are called. Symbolic links are left out unless they lead to a
    file that would be there anyway.

    Args:
        excluded: further folders to leave out: the data folder and the runs folder in use.
    """
    root = folder.resolve()
    places = [place.resolve() for place in excluded]
    for place in places:
        if root.is_relative_to(place):
            raise UsageError(
                f"the agent's folder {folder} is inside {place}, which holds data or runs;"
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
    if (folder / "pyvenv.cfg").is_file():
        return True
    if (folder / "run.json").is_file() and (folder / "host").is_dir():
        return True
    if (folder / "metadata.json").is_file() and any(folder.glob("*/run.json")):
        return True
    if (folder / "private").is_dir() and (folder / "public").is_dir():
        return True
    if (folder / "prepared" / "manifest.json").is_file():
        return True
    if (folder / f"{folder.name}.zip").is_file():
        return True
    return (folder / "raw").is_dir() and folder.name in published_ids()
