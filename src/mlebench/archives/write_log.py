"""What a preparation has written so far, logged through the paths that it writes to.

A preparation receives its folders as `OutputPath`s. The functions that write files enter hashes and
row counts in the log of the path they are given, so that the manifest need not read files again.
With a plain `Path` they write the same files and log nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path, PosixPath
from typing import Self, TypeAlias

Clean: TypeAlias = Callable[[bytes], bytes]
"""Returns the content of a file as it is published."""


@dataclass
class WriteLog:
    """Facts by absolute path; a file that is changed later has another time or size."""

    hashes: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Size and SHA-256 of files that were hashed while they were written."""

    contents: dict[str, str] = field(default_factory=dict)
    """Digest of the members of an archive, whose own bytes depend on a library."""

    rows: dict[str, int] = field(default_factory=dict)
    """Row counts of tables."""

    offered: dict[str, tuple[str, str]] = field(default_factory=dict)
    """SHA-256 and path of files of another revision, by the path of the equal file here."""

    linked: set[str] = field(default_factory=set)
    """Paths of the files that are hard links to offered ones."""

    find_cleaner: Callable[[str], Clean | None] = lambda path: None
    """What changes the file with this path, or this member (`test.zip/1.jpg`) of an archive; None
    for most. A file that has one is of a test item and is never linked."""

    def link(self, path: str, digest: str) -> bool:
        """Create a file as a hard link to the offered one, if that has the same content."""
        known, source = self.offered.get(path, ("", ""))
        if known != digest or self.find_cleaner(path):
            return False
        try:
            os.link(source, path)
        except OSError:
            # Another file system, one without links, or a second file of that name.
            return False
        self.linked.add(path)
        return True

    def cleaned(self, path: str, data: bytes) -> bytes:
        """The content of a file or member as it is published."""
        clean = self.find_cleaner(path)
        return clean(data) if clean else data

    def unlink(self, path: str) -> None:
        """Remove a link before its path is written again, so that the offered file stays."""
        if path in self.linked:
            self.linked.remove(path)
            os.unlink(path)  # noqa: PTH108 (a string)


class OutputPath(PosixPath):
    """A path with a write log, which paths made by `/`, `joinpath` and `parent` share.

    Paths derived in other ways have no log: what is written there is hashed afterwards.
    """

    log: WriteLog | None = None

    @classmethod
    def of(cls, path: Path, log: WriteLog | None) -> Self:
        output = cls(path)
        output.log = log
        return output

    def __truediv__(self, key: str | PathLike[str]) -> Self:
        return self.of(super().__truediv__(key), self.log)

    def joinpath(self, *others: str | PathLike[str]) -> Self:
        return self.of(super().joinpath(*others), self.log)

    @property
    def parent(self) -> Self:
        return self.of(super().parent, self.log)


def published(archive: Path, name: str, data: bytes) -> bytes:
    """The content of a member of an archive as it is published."""
    log = log_of(archive)
    return log.cleaned(f"{archive}/{name}", data) if log else data


def log_of(path: Path) -> WriteLog | None:
    """The log of a path; None for a plain path."""
    return path.log if isinstance(path, OutputPath) else None
