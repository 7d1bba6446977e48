"""Find answers among the files that an agent would see, whatever they are called."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from mlebench.catalogue import LocatedCompetition
from mlebench.system.files import sha256


def find_answers(files: Iterable[Path], competition: LocatedCompetition) -> Path | None:
    """The first file with the content of a file of the answers."""
    sizes: dict[int, list[Path]] = {}
    for file in files:
        sizes.setdefault(file.stat().st_size, []).append(file)
    for secret in competition.private_dir.rglob("*"):
        same = sizes.get(secret.stat().st_size, []) if secret.is_file() else []
        digest = sha256(secret) if same else ""
        for file in same:
            if sha256(file) == digest:
                return file
    return None


def files_below(folder: Path) -> Iterator[Path]:
    """Every regular file below a folder, hidden ones included."""
    for home, _, names in os.walk(folder):
        yield from (file for name in names if (file := Path(home) / name).is_file())
