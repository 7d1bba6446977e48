"""PublicFile: a file of the public folder, or a member of an archive there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mlebench.archives.raw import Raw, RawFolder
from mlebench.archives.unpacking import ARCHIVES, unpacked
from mlebench.errors import DataError

NESTING = 2


@dataclass(frozen=True)
class PublicFile:
    """A public file, or a member of a public archive."""

    path: str
    """Below `public/`; a member follows its archive: `test.zip/1.jpg`."""

    raw: Raw

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def stem(self) -> str:
        return PurePosixPath(self.path).stem

    @property
    def suffix(self) -> str:
        """In lower case."""
        return self.raw.suffix.lower()

    @property
    def folder_and_kind(self) -> tuple[str, str]:
        return self.path.rpartition("/")[0], self.suffix

    @property
    def local(self) -> Path | None:
        """The path on this disk; None for a member of an archive."""
        return self.raw.local if isinstance(self.raw, RawFolder) else None


def streams(
    root: Raw, prefix: str, stack: ExitStack, nesting: int = NESTING
) -> Iterator[PublicFile]:
    """All files below a folder or in an archive, and in archives there, which the stack closes."""
    files = list(root.walk())
    if isinstance(root, RawFolder):
        files.sort(key=lambda file: file.path)
    for file in files:
        path = f"{prefix}{file.path}"
        yield PublicFile(path, file)
        if nesting and path.lower().endswith(ARCHIVES):
            try:
                content = stack.enter_context(unpacked(file))
                yield from streams(content, f"{path}/", stack, nesting - 1)
            except DataError:
                continue  # listed as a plain file
