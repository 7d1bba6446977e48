"""The raw data as a tree of paths, whether it is in a folder or still inside an archive.

Preparation reads through `Raw`, so that only the files it needs are unpacked.
"""

from __future__ import annotations

import io
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from mlebench.archives.byte_range import ByteRange
from mlebench.archives.limits import UnpackingBudget
from mlebench.archives.packed import PackedIndex
from mlebench.archives.zip_index import ZipIndex
from mlebench.errors import DataError


class Raw(ABC):
    """A file or folder of the raw data; `raw / "train" / "1.png"` as with a path."""

    # There may be millions at a time.
    __slots__ = ("path", "scratch")

    def __init__(self, path: str, scratch: Path | None) -> None:
        self.path = path
        """Below the root, with `/`; the root itself is empty."""

        self.scratch = scratch
        """A folder on the same disk as the result, for temporarily unpacked archives."""

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
        """The files in this folder that match, sorted; `**/` in front includes subfolders."""
        if pattern.startswith("**/"):
            below = self.walk()
            pattern = pattern[3:]
        else:
            below = (child for child in self._children() if child.is_file())
        return sorted((file for file in below if fnmatchcase(file.name, pattern)), key=_by_parts)

    def folders(self) -> list[Raw]:
        """The subfolders, sorted by name."""
        return sorted((child for child in self._children() if child.is_dir()), key=_by_parts)

    def relative(self, file: Raw) -> str:
        """The path of a file below this folder, as seen from here."""
        return file.path[len(self.path) + 1 :] if self.path else file.path

    def missing(self, kind: str = "file") -> DataError:
        return DataError(f"the raw data has no {kind} {self.path!r}, which preparation needs")

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

    __slots__ = ("root",)

    def __init__(self, root: Path, path: str = "", scratch: Path | None = None) -> None:
        super().__init__(path, scratch)
        self.root = root

    @property
    def local(self) -> Path:
        return Path(self._local)

    @property
    def _local(self) -> str:
        # Not `root / path`: a name that starts with a slash would leave the folder.
        return f"{self.root}/{self.path}"

    def _at(self, path: str) -> RawFolder:
        if ".." in path and ".." in path.split("/"):
            # Names may come from tables inside the data, which were not checked.
            raise DataError(f"the raw data has no file {path!r}: the name leads out of its folder")
        return RawFolder(self.root, path, self.scratch)

    def is_file(self) -> bool:
        return os.path.isfile(self._local)  # noqa: PTH113 (strings: see `walk`)

    def is_dir(self) -> bool:
        return os.path.isdir(self._local)  # noqa: PTH112 (strings: see `walk`)

    def size(self) -> int:
        try:
            return os.stat(self._local).st_size  # noqa: PTH116 (strings: see `walk`)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            raise self.missing() from None

    def open(self) -> BinaryIO:
        try:
            return open(self._local, "rb")
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError, ValueError):
            raise self.missing() from None

    def _children(self) -> Iterator[Raw]:
        if not self.is_dir():
            raise self.missing("folder")
        yield from (self / name for name in os.listdir(self._local))  # noqa: PTH208 (strings)

    def walk(self) -> Iterator[Raw]:
        if not self.is_dir():
            raise self.missing("folder")
        # Strings: a million `Path` objects take longer than the disk.
        cut = len(str(self.root)) + 1
        for home, _, names in os.walk(self._local.rstrip("/"), followlinks=True):
            below = home[cut:]
            for name in names:
                yield self._at(f"{below}/{name}" if below else name)


@dataclass(frozen=True)
class Opened:
    """An archive that is open for reading."""

    index: PackedIndex
    budget: UnpackingBudget
    scratch: Path | None = None
    nesting: int = 1
    """How deep the archive is nested; 1 for the outermost."""


class RawPacked(Raw):
    """Raw data still inside an archive."""

    __slots__ = ("archive", "index")

    def __init__(self, archive: Opened, path: str = "") -> None:
        super().__init__(path, archive.scratch)
        self.archive = archive
        self.index = archive.index

    @classmethod
    def of_zip(cls, file: Path, scratch: Path | None = None) -> RawPacked:
        """The content of a zip file; `close` it afterwards."""
        source = ByteRange.of_file(file.open("rb"), file.name)
        budget = UnpackingBudget(source.size)
        try:
            return cls(Opened(ZipIndex(source, budget), budget, scratch))
        except BaseException:
            source.close()
            raise

    def close(self) -> None:
        self.index.close()

    def _at(self, path: str) -> RawPacked:
        return RawPacked(self.archive, path)

    def is_file(self) -> bool:
        return self.path in self.index

    def is_dir(self) -> bool:
        return not self.path or self.path in self.index.folders

    def size(self) -> int:
        if not self.is_file():
            raise self.missing()
        return self.index.size(self.path)

    def open(self) -> BinaryIO:
        if not self.is_file():
            raise self.missing()
        return self.index.open(self.path)

    def read_bytes(self) -> bytes:
        if not self.is_file():
            raise self.missing()
        return self.index.read(self.path)

    def walk(self) -> Iterator[Raw]:
        if not self.is_dir():
            raise self.missing("folder")
        return (self._at(name) for name in self.index.below(self.path))

    def _children(self) -> Iterator[Raw]:
        if not self.is_dir():
            raise self.missing("folder")
        cut = len(self.path) + 1 if self.path else 0
        seen = set()
        for name in self.index.below(self.path):
            child = name[:cut] + name[cut:].split("/", 1)[0]
            if child not in seen:
                seen.add(child)
                yield self._at(child)


def text_stream(raw: Raw) -> io.TextIOWrapper:
    """The file as lines of UTF-8 text, with universal newlines."""
    return io.TextIOWrapper(raw.open(), encoding="utf-8")
