"""The manifest beside prepared data: what it was made from, by whom, every file's size and hash.

prepared/
  manifest.json   the facts; small, since every grading reads it
  files.jsonl     one line a file: path, size, SHA-256, and what else is known
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mlebench.errors import DataError
from mlebench.records.folders import CompetitionFolder
from mlebench.version import REVISION, __version__

__all__ = ["Manifest", "read_manifest", "walk_files", "write_manifest"]

SCHEMA = 2
FILE_LIST = "files.jsonl"
LIBRARIES = ("numpy", "pandas", "pyarrow", "scikit-learn", "py7zr")

Facts = dict[str, Any]
"""Of a file: `size`, `sha256`; `content` where bytes depend on a library; `rows` of a table."""


def library_versions() -> dict[str, str]:
    """The libraries that decide how files are written."""
    found = {name: version(name) for name in LIBRARIES}
    return found | {"zlib": zlib.ZLIB_RUNTIME_VERSION}


@dataclass(frozen=True)
class Manifest:
    """What `prepared/manifest.json` holds."""

    competition_id: str
    files: Mapping[str, Facts] = field(repr=False)
    """`public/train.csv` → its facts; they stand in a file of their own."""

    source: dict[str, Any] = field(default_factory=dict)
    """Kind, name, size and MD5 of what it was made from."""

    is_rehearsal: bool = False
    seed: int | None = None
    scale: int | None = None
    description: str = "own"
    """`own`, `obfuscated` or `official`."""

    unpacked: list[str] = field(default_factory=list)
    """Archives of the public data that were replaced by their content."""

    warnings: list[str] = field(default_factory=list)
    private: dict[str, Facts] = field(default_factory=dict)
    """The facts of the answers, at hand for whoever grades."""

    file_count: int = 0
    total_bytes: int = 0
    file_list_sha256: str = ""
    revision: str = REVISION
    mlebench: str = __version__
    python: str = field(default_factory=platform.python_version)
    libraries: dict[str, str] = field(default_factory=library_versions)
    schema: int = SCHEMA


class FileList(Mapping[str, Facts]):
    """The lines of `files.jsonl`, read when somebody asks: a list may have millions."""

    def __init__(self, path: Path, expected_sha256: str) -> None:
        self._path = path
        self._expected = expected_sha256
        self._found: dict[str, Facts] | None = None

    @property
    def _files(self) -> dict[str, Facts]:
        if self._found is None:
            try:
                data = self._path.read_bytes()
            except OSError as error:
                raise DataError(f"{self._path} cannot be read: {error.strerror}") from None
            if hashlib.sha256(data).hexdigest() != self._expected:
                raise DataError(f"{self._path} differs from what the manifest says of it")
            self._found = dict(json.loads(line) for line in data.splitlines())
        return self._found

    def __getitem__(self, name: str) -> Facts:
        return self._files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def walk_files(folder: Path) -> Iterator[Path]:
    """All files below a folder, in the order of their paths, without following links."""
    for home, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield Path(home) / name


def write_manifest(manifest: Manifest, prepared: Path) -> Manifest:
    """Write both files; gives the manifest with its counts."""
    lines = "".join(json.dumps([name, facts]) + "\n" for name, facts in manifest.files.items())
    data = lines.encode()
    facts = {f.name: getattr(manifest, f.name) for f in fields(manifest)} | {
        "private": {n: f for n, f in manifest.files.items() if n.startswith("private/")},
        "file_count": len(manifest.files),
        "total_bytes": sum(facts["size"] for facts in manifest.files.values()),
        "file_list_sha256": hashlib.sha256(data).hexdigest(),
    }
    whole = Manifest(**facts)
    _write(prepared / FILE_LIST, data)
    shown = {name: value for name, value in facts.items() if name != "files"}
    _write(prepared / "manifest.json", (json.dumps(shown, indent=1) + "\n").encode())
    return whole


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all, also where the file is there already."""
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    part.rename(path)


def read_manifest(folder: CompetitionFolder) -> Manifest | None:
    """The manifest of prepared data; nothing where there is none."""
    try:
        facts = json.loads(folder.manifest.read_text("utf-8"))
        if facts["schema"] != SCHEMA:
            raise DataError(
                f"{folder.manifest} has schema {facts['schema']}, expected {SCHEMA}:"
                " it was written by another version",
                hint=f"prepare again: mlebench prepare -c {folder.id} --force",
            )
        files = FileList(folder.prepared / FILE_LIST, facts["file_list_sha256"])
        return Manifest(files=files, **facts)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise DataError(
            f"{folder.manifest} is damaged: {error}",
            hint=f"prepare again: mlebench prepare -c {folder.id} --force",
        ) from None
