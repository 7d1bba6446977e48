"""Frees disk space: raw data, archives, prepared data and leftovers of killed processes."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mlebench.preparing.options import silent
from mlebench.preparing.staging import leftovers, locked, remove
from mlebench.records.folders import CompetitionFolder
from mlebench.records.manifest import read_manifest
from mlebench.version import REVISION

Kind = Literal["raw", "archive", "prepared", "leftovers"]


@dataclass(frozen=True)
class Item:
    """Something on disk that can be removed."""

    competition_id: str
    kind: Kind
    path: Path
    bytes: int
    """Its size on disk."""


def find_items(folder: CompetitionFolder) -> Iterator[Item]:
    """Everything of a competition that takes space."""
    places: list[tuple[Kind, list[Path]]] = [
        ("raw", [folder.raw]),
        ("archive", [folder.archive]),
        ("prepared", [folder.prepared]),
        ("leftovers", [*leftovers(folder), *sorted(folder.path.glob(f"{folder.id}.zip.part*"))]),
    ]
    for kind, paths in places:
        for path in paths:
            if path.exists() or path.is_symlink():
                yield Item(folder.id, kind, path, disk_usage(path))


def disk_usage(path: Path) -> int:
    """Bytes on the disk below a path, links not followed."""
    total = path.lstat().st_blocks * 512
    if path.is_dir() and not path.is_symlink():
        for home, folders, names in os.walk(path):
            for name in (*folders, *names):
                total += os.lstat(f"{home}/{name}").st_blocks * 512
    return total


def clean(
    folder: CompetitionFolder, kinds: Collection[Kind] | None = None, *, dry_run: bool = False
) -> list[Item]:
    """Remove data of the given kinds; returns what was removed.

    Args:
        kinds: by default leftovers, and raw data that is prepared.
    """
    if not folder.path.is_dir():
        return []
    with locked(folder, silent, wait=False):
        wanted = _default_kinds(folder) if kinds is None else kinds
        items = [item for item in find_items(folder) if item.kind in wanted]
        for item in items:
            if not dry_run:
                remove(item.path)
    return items


def _default_kinds(folder: CompetitionFolder) -> Collection[Kind]:
    """Raw data may be removed if the real data is prepared, but not for rehearsal data."""
    manifest = read_manifest(folder)
    is_real = manifest is not None and not manifest.is_rehearsal
    kinds: list[Kind] = ["raw", "archive", "leftovers"]
    return kinds if is_real else kinds[2:]


def folders_with_data(data_dir: Path, revision: str = REVISION) -> list[CompetitionFolder]:
    """The folders of all competitions that have something on disk."""
    if not data_dir.is_dir():
        return []
    names = sorted(entry.name for entry in data_dir.iterdir() if entry.is_dir())
    folders = [CompetitionFolder(data_dir, name, revision) for name in names]
    return [folder for folder in folders if any(find_items(folder))]
