"""Find answers among the files that an agent would see, whatever they are called."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mlebench.catalogue import LocatedCompetition
from mlebench.system.files import sha256


def find_answers(files: Iterable[Path], competition: LocatedCompetition) -> Path | None:
    """The first file whose content is that of a file of the answers."""
    sizes: dict[int, list[Path]] = {}
    for file in filter(Path.is_file, files):
        sizes.setdefault(file.stat().st_size, []).append(file)
    for secret in competition.private_dir.rglob("*"):
        same = sizes.get(secret.stat().st_size, []) if secret.is_file() else []
        digest = sha256(secret) if same else ""
        for file in same:
            if sha256(file) == digest:
                return file
    return None
