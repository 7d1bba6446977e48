"""The raw data as a tree to walk, wherever it lies: in a folder, or still inside an archive.

Preparation reads through `Raw`, so that nothing is unpacked that nobody needs.
"""

from __future__ import annotations

import bisect
import io
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from mlebench.errors import DataError


class Raw(ABC):
    """A file or folder of the raw data; `raw / "train" / "1.png"` as with a path."""

    scratch: Path | None = None
    """A folder on the same disk as the goal, for what must be unpacked on the way."""

    def __init__(self, path: str) -> None:
        self.path = path
        """Below the root, with `/`; the root itself is empty."""

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def stem(self) -> str:
        return PurePosixPath(self.path).stem

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix

    @property
    def parent_name(self) -> str:
        return PurePosixPath(self.path).parent.name

    def __truediv__(self, name: str) -> Raw:
        return self._at(f"{self.path}/{name}" if self.path else name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.path!r})"

    def exists(self) -> bool:
        return self.is_file() or self.is_dir()

    def read_bytes(self) -> bytes:
        with self.open() as stream:
            return stream.read()

    def read_text(self, encoding: str = "utf-8") -> str:
        return self.read_bytes().decode(encoding)

    def files(self, pattern: str = "*") -> list[Raw]:
        """The files right below whose name fits, sorted; a pattern that starts with `**/` looks deeper."""
        if pattern.startswith("**/"):
            below = self.walk()
            pattern = pattern[3:]
        else:
            below = (child for child in self._children() if child.is_file())
        return sorted((file for file in below if fnmatchcase(file.name, pattern)), key=_by_parts)

    def folders(self) -> list[Raw]:
        """The folders right below, sorted by name."""
        return sorted((child for child in self._children() if child.is_dir()), key=_by_parts)

    def relative(self, file: Raw) -> str:
        """The path of a file below this folder, as seen from here."""
        return file.path[len(self.path) + 1 :] if self.path else file.path

    def missing(self) -> DataError:
        return DataError(f"the raw data has no file {self.path!r}, which preparation needs")

    @abstractmethod
    def is_file(self) -> bool: ...

    @abstractmethod
    def is_dir(self) -> bool: ...

    @abstractmethod
    def open(self) -> BinaryIO: ...

    @abstractmethod
    def size(self) -> int: ...

    @abstractmethod
    def walk(self) -> Iterator[Raw]:
        """All files below, in no particular order."""

    @abstractmethod
    def _children(self) -> Iterator[Raw]: ...

    @abstractmethod
    def _at(self, path: str) -> Raw: ...


def _by_parts(raw: Raw) -> list[str]:
    return raw.path.split("/")


class RawFolder(Raw):
    """Raw data unpacked in a folder."""

    def __init__(self, root: Path, path: str = "", scratch: Path | None = None) -> None:
        super().__init__(path)
        self.root = root
        self.scratch = scratch
        self.local = root / path if path else root

    def _at(self, path: str) -> RawFolder:
        return RawFolder(self.root, path, self.scratch)

    def is_file(self) -> bool:
        return self.local.is_file()

    def is_dir(self) -> bool:
        return self.local.is_dir()

    def size(self) -> int:
        return self.local.stat().st_size

    def open(self) -> BinaryIO:
        try:
            return self.local.open("rb")
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            raise self.missing() from None

    def _children(self) -> Iterator[Raw]:
        if not self.local.is_dir():
            raise DataError(f"the raw data has no folder {self.path!r}, which preparation needs")
        for entry in self.local.iterdir():
            yield self / entry.name

    def walk(self) -> Iterator[Raw]:
        for child in self._children():
            if child.is_dir():
                yield from child.walk()
            else:
                yield child


class _ZipIndex:
    """The names in a zip file, sorted, so that a folder's content is a slice."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.infos = {i.filename: i for i in archive.infolist() if not i.is_dir()}
        self.names = sorted(self.infos)
        self.folders = {i.filename.rstrip("/") for i in archive.infolist() if i.is_dir()}

    def below(self, path: str) -> list[str]:
        if not path:
            return self.names
        start = bisect.bisect_left(self.names, f"{path}/")
        # '0' is the character after '/', so every name below the folder sorts before it.
        return self.names[start : bisect.bisect_left(self.names, f"{path}0")]


class RawZip(Raw):
    """Raw data still inside a zip file."""

    def __init__(self, index: _ZipIndex, path: str = "", scratch: Path | None = None) -> None:
        super().__init__(path)
        self.index = index
        self.scratch = scratch

    @classmethod
    def opened(cls, file: Path | BinaryIO, scratch: Path | None = None) -> RawZip:
        try:
            archive = zipfile.ZipFile(file)
        except zipfile.BadZipFile as error:
            raise DataError(f"{getattr(file, 'name', file)} is not a zip file: {error}") from None
        return cls(_ZipIndex(archive), "", scratch)

    def _at(self, path: str) -> RawZip:
        return RawZip(self.index, path, self.scratch)

    def is_file(self) -> bool:
        return self.path in self.index.infos

    def is_dir(self) -> bool:
        return not self.path or self.path in self.index.folders or bool(self.index.below(self.path))

    def size(self) -> int:
        return self.index.infos[self.path].file_size

    def open(self) -> BinaryIO:
        if not self.is_file():
            raise self.missing()
        return cast(BinaryIO, self.index.archive.open(self.index.infos[self.path]))

    def read_bytes(self) -> bytes:
        if not self.is_file():
            raise self.missing()
        return self.index.archive.read(self.index.infos[self.path])

    def walk(self) -> Iterator[Raw]:
        return (self._at(name) for name in self.index.below(self.path))

    def _children(self) -> Iterator[Raw]:
        if not self.is_dir():
            raise DataError(f"the raw data has no folder {self.path!r}, which preparation needs")
        cut = len(self.path) + 1 if self.path else 0
        seen = set()
        for name in self.index.below(self.path):
            child = name[:cut] + name[cut:].split("/", 1)[0]
            if child not in seen:
                seen.add(child)
                yield self._at(child)


def text_stream(raw: Raw, encoding: str = "utf-8") -> io.TextIOWrapper:
    """The file as lines of text, with universal newlines."""
    return io.TextIOWrapper(raw.open(), encoding=encoding)
