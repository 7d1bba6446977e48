"""The manifest beside prepared data: what it was made from, by whom, and every file's size and hash."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mlebench.errors import DataError
from mlebench.storage import CompetitionFolder
from mlebench.version import REVISION, __version__

SCHEMA = 1
LIBRARIES = ("numpy", "pandas", "pyarrow", "scikit-learn")


@dataclass(frozen=True)
class Manifest:
    """What `prepared/manifest.json` holds."""

    competition_id: str
    files: dict[str, dict[str, Any]]
    """`public/train.csv` → size and sha256."""

    source: dict[str, Any] = field(default_factory=dict)
    """Name, size and MD5 of the archive, or the folder's name."""

    is_rehearsal: bool = False
    seed: int | None = None
    scale: int | None = None
    revision: str = REVISION
    mlebench: str = __version__
    python: str = field(default_factory=platform.python_version)
    libraries: dict[str, str] = field(
        default_factory=lambda: {name: version(name) for name in LIBRARIES}
    )
    schema: int = SCHEMA


def describe_files(prepared: Path) -> dict[str, dict[str, Any]]:
    """Size and hash of every file below the public and private folders."""
    return {
        file.relative_to(prepared).as_posix(): {
            "size": file.stat().st_size,
            "sha256": sha256(file),
        }
        for part in ("public", "private")
        for file in walk_files(prepared / part)
    }


def walk_files(folder: Path) -> Iterator[Path]:
    """All files below a folder, in the order of their paths, without following links."""
    for home, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield Path(home) / name


def sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_manifest(manifest: Manifest, path: Path) -> None:
    path.write_text(json.dumps(asdict(manifest), indent=1, allow_nan=False) + "\n", "utf-8")


def read_manifest(folder: CompetitionFolder) -> Manifest | None:
    """The manifest of prepared data; nothing where there is none."""
    try:
        return Manifest(**json.loads(folder.manifest.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise DataError(
            f"{folder.manifest} is damaged: {error}",
            hint=f"prepare again: mlebench prepare -c {folder.id} --force",
        ) from None
