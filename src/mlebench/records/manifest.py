"""The manifest of prepared data: its source, the versions used, every file's size and hash.

prepared/
  manifest.json   the facts; small, since every grading reads it
  files.jsonl     one line per file: path, size, SHA-256, and what else is known
"""

from __future__ import annotations

import hashlib
import os
import platform
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from mlebench.errors import DataError
from mlebench.records.codec import LineFormat, RecordFormat, encode, read_bytes
from mlebench.records.folders import CompetitionFolder
from mlebench.system.files import write_atomically
from mlebench.version import REVISION, __version__, option_for

SCHEMA = 2
FILE_LIST = "files.jsonl"
LIBRARIES = ("numpy", "pandas", "pyarrow", "scikit-learn", "py7zr")


class FileFacts(TypedDict):
    """Facts about a prepared file."""

    size: int
    sha256: str
    content: NotRequired[str]
    """A hash of the decoded content, if the bytes depend on a library."""

    rows: NotRequired[int]
    """Of a table."""


def library_versions() -> dict[str, str]:
    """Versions of the libraries that affect how files are written."""
    from importlib.metadata import version

    found = {name: version(name) for name in LIBRARIES}
    return found | {"zlib": zlib.ZLIB_RUNTIME_VERSION}


@dataclass(frozen=True)
class StoredManifest:
    """The content of `prepared/manifest.json`."""

    competition_id: str
    source: dict[str, Any] = field(default_factory=dict)
    """Kind, name, size and MD5 of the source."""

    is_rehearsal: bool = False
    seed: int | None = None
    scale: int | None = None
    description: str = "own"
    """`own`, `obfuscated` or `official`."""

    unpacked: list[str] = field(default_factory=list)
    """Archives of the public data that were replaced with their content."""

    warnings: list[str] = field(default_factory=list)
    private: dict[str, FileFacts] = field(default_factory=dict)
    """The facts about the answers, so that grading need not read the list of files."""

    file_count: int = 0
    total_bytes: int = 0
    file_list_sha256: str = ""
    revision: str = REVISION
    mlebench: str = __version__
    python: str = field(default_factory=platform.python_version)
    libraries: dict[str, str] = field(default_factory=library_versions)
    schema: int = SCHEMA


@dataclass(frozen=True)
class Manifest(StoredManifest):
    """The manifest with its list of files."""

    files: Mapping[str, FileFacts] = field(default_factory=dict, repr=False)
    """`public/train.csv` → its facts; stored in a separate file."""


_MANIFEST = RecordFormat(StoredManifest, SCHEMA)
_FILES: LineFormat[tuple[str, FileFacts]] = LineFormat(tuple[str, FileFacts])


class FileList(Mapping[str, FileFacts]):
    """The lines of `files.jsonl`, read on demand: there may be millions."""

    def __init__(self, path: Path, expected_sha256: str) -> None:
        self._path = path
        self._expected = expected_sha256
        self._found: dict[str, FileFacts] | None = None

    @property
    def _files(self) -> dict[str, FileFacts]:
        if self._found is None:
            data = read_bytes(self._path)
            if hashlib.sha256(data).hexdigest() != self._expected:
                raise DataError(f"{self._path} does not match the manifest")
            self._found = dict(_FILES.decode(data))
        return self._found

    def __getitem__(self, name: str) -> FileFacts:
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
    """Write both files; returns the manifest with its counts."""
    data = b"".join(_FILES.encode((name, facts)) for name, facts in manifest.files.items())
    stored = {f.name: getattr(manifest, f.name) for f in fields(StoredManifest)} | {
        "private": {n: f for n, f in manifest.files.items() if n.startswith("private/")},
        "file_count": len(manifest.files),
        "total_bytes": sum(facts["size"] for facts in manifest.files.values()),
        "file_list_sha256": hashlib.sha256(data).hexdigest(),
    }
    write_atomically(prepared / FILE_LIST, data)
    write_atomically(prepared / "manifest.json", encode(StoredManifest(**stored)))
    return Manifest(**stored, files=manifest.files)


def read_manifest(folder: CompetitionFolder) -> Manifest | None:
    """The manifest of prepared data; None if there is none."""
    again = f"prepare again: mlebench prepare -c {folder.id} --force{option_for(folder.revision)}"
    try:
        stored = _MANIFEST.read_existing(folder.manifest)
    except DataError as error:
        raise DataError(str(error), hint=again) from None
    if stored is None:
        return None
    if stored.schema < SCHEMA:
        raise DataError(
            f"{folder.manifest} has schema {stored.schema}, expected {SCHEMA}:"
            " it was written by an older version",
            hint=again,
        )
    files = FileList(folder.prepared / FILE_LIST, stored.file_list_sha256)
    return Manifest(**vars(stored), files=files)


def is_rehearsal_data(folder: CompetitionFolder) -> bool:
    """Whether the prepared data is synthetic; False if there is no readable manifest."""
    try:
        manifest = read_manifest(folder)
    except DataError:
        return False
    return manifest is not None and manifest.is_rehearsal
