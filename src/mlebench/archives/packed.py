"""Indexes of archives: the members by name, read in place and never extracted."""

from __future__ import annotations

import bisect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import BinaryIO

from mlebench.archives.byte_range import ByteRange


class PackedIndex(ABC):
    """Checked names of an archive, sorted so that the content of a folder is a slice."""

    def __init__(self, source: ByteRange, files: Iterable[str], folders: set[str]) -> None:
        self.source = source
        self.names = sorted(files)
        self.folders = folders

    def below(self, path: str) -> list[str]:
        """All files below a folder."""
        if not path:
            return self.names
        start = bisect.bisect_left(self.names, f"{path}/")
        # '0' is the character after '/', so every name below the folder sorts before it.
        return self.names[start : bisect.bisect_left(self.names, f"{path}0")]

    @abstractmethod
    def __contains__(self, name: str) -> bool: ...

    @abstractmethod
    def size(self, name: str) -> int: ...

    @abstractmethod
    def read(self, name: str) -> bytes: ...

    @abstractmethod
    def open(self, name: str) -> BinaryIO: ...

    @abstractmethod
    def in_place(self, name: str) -> ByteRange | None:
        """The range of the member's bytes; None if they are compressed."""

    def close(self) -> None:
        self.source.close()


class StoredIndex(PackedIndex):
    """Members that are stored uncompressed one after another, as in a tar."""

    def __init__(
        self, source: ByteRange, places: Mapping[str, tuple[int, int]], folders: set[str]
    ) -> None:
        super().__init__(source, places, folders)
        self.places = places
        """Name → offset and size."""

    def __contains__(self, name: str) -> bool:
        return name in self.places

    def size(self, name: str) -> int:
        return self.places[name][1]

    def read(self, name: str) -> bytes:
        return self.source.read_at(*self.places[name])

    def open(self, name: str) -> BinaryIO:
        return self.in_place(name).stream()

    def in_place(self, name: str) -> ByteRange:
        offset, size = self.places[name]
        return self.source.part(offset, size, name)
