"""Raw data from several places as one tree: files in `raw/` replace those of the archive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from mlebench.archives.raw import Raw


class RawLayers(Raw):
    """A folder that several sources have; a file is taken from the first that has it."""

    __slots__ = ("layers",)

    def __init__(self, layers: tuple[Raw, ...]) -> None:
        super().__init__(layers[0].path, layers[0].scratch)
        self.layers = layers

    def _at(self, path: str) -> Raw:
        name = path[len(self.path) + 1 :] if self.path else path
        found = [child for child in (layer / name for layer in self.layers) if child.exists()]
        if len(found) > 1 and all(child.is_dir() for child in found):
            return RawLayers(tuple(found))
        return found[0] if found else self.layers[-1] / name

    def is_file(self) -> bool:
        return False

    def is_dir(self) -> bool:
        return True

    def open(self) -> BinaryIO:
        raise self.missing()

    def size(self) -> int:
        raise self.missing()

    def walk(self) -> Iterator[Raw]:
        seen: set[str] = set()
        for layer in self.layers:
            for file in layer.walk():
                if file.path not in seen:
                    seen.add(file.path)
                    yield file

    def _children(self) -> Iterator[Raw]:
        names = {child.name for layer in self.layers for child in layer._children()}
        return (self / name for name in sorted(names))
