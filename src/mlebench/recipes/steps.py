"""Recipes of several steps: a split of a table, then files that follow its rows.

A step imports what it copies files with when it runs: definitions are loaded for grading, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

from mlebench.recipes.splits import SAMPLE, Parts
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    from mlebench.archives.raw import Raw

Step: TypeAlias = "Callable[[Raw, Parts, Path], None]"
"""Writes public files, given the raw data and the two parts."""


class Recipe:
    """A split, then one step after another; returns the parts, for further steps of the caller."""

    def __init__(self, split: Callable[[Raw, Path, Path], Parts], *steps: Step) -> None:
        self.split = split
        self.steps = steps

    def __call__(self, raw: Raw, public: Path, private: Path) -> Parts:
        parts = self.split(raw, public, private)
        for step in self.steps:
            step(raw, parts, public)
        return parts


@dataclass(frozen=True)
class Files:
    """A file for each value of a column, such as `train/{}.jpg`; test files go to `test`."""

    pattern: str
    column: str

    def __call__(self, raw: Raw, parts: Parts, public: Path) -> None:
        from mlebench.archives.copying import copy_split

        train, test = (part[self.column] for part in parts)
        copy_split(raw, self.pattern, public, train=train, test=test)


@dataclass(frozen=True)
class Folders:
    """A folder of files for each value of a column: `train/<value>` or `test/<value>`."""

    folder: str
    column: str

    def __call__(self, raw: Raw, parts: Parts, public: Path) -> None:
        from mlebench.archives.copying import copy_folder

        source = raw / self.folder
        for part, folder in zip(parts, _of_parts(self.folder), strict=True):
            for name in sorted(part[self.column].unique()):
                copy_folder(source / name, public / folder / name)


@dataclass(frozen=True)
class ClassFolders:
    """Files in one folder per class; only those of the train part keep the folder."""

    folder: str
    class_column: str
    file_column: str

    def __call__(self, raw: Raw, parts: Parts, public: Path) -> None:
        from mlebench.archives.writing import copy_files

        source = raw / self.folder
        train, test = (
            list(zip(part[self.class_column], part[self.file_column], strict=True))
            for part in parts
        )
        places = [f"{kind}/{name}" for kind, name in train]
        copy_files({place: source / place for place in places}, public / self.folder)
        files = {name: source / f"{kind}/{name}" for kind, name in test}
        copy_files(files, public / _of_parts(self.folder)[1])


@dataclass(frozen=True)
class ZippedFiles:
    """The files of a zip for each value of a column, in a zip for each part without folders."""

    archive: str
    pattern: str
    """Path of a file in the archive, such as `train/{}.jpg`."""

    column: str

    def __call__(self, raw: Raw, parts: Parts, public: Path) -> None:
        from mlebench.archives.copying import zip_files
        from mlebench.archives.unpacking import unpacked

        with unpacked(raw / self.archive) as content:
            for part, archive in zip(parts, _of_parts(self.archive), strict=True):
                places = [self.pattern.format(value) for value in part[self.column]]
                files = {PurePosixPath(place).name: content / place for place in places}
                zip_files(files, public / archive)


@dataclass(frozen=True)
class TrainRows:
    """The rows of further tables that share a value of a column with the train part."""

    column: str
    tables: tuple[str, ...]

    def __call__(self, raw: Raw, parts: Parts, public: Path) -> None:
        known = parts[0][self.column].unique()
        for name in self.tables:
            table = read_table(raw / name)
            write_table(table[table[self.column].isin(known)], public / name)


class Copies:
    """Files and folders of the raw data that become public unchanged."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __call__(self, raw: Raw, parts: Parts, public: Path) -> None:
        from mlebench.archives.copying import copy_file, copy_folder

        for name in self.names:
            source = raw / name
            if source.is_dir():
                copy_folder(source, public / name)
            else:
                copy_file(source, public / name)


def _of_parts(name: str) -> tuple[str, str]:
    """The public names of both parts of something called `train`."""
    return name, name.replace("train", "test", 1)


def with_public_sample(
    prepare: Callable[[Raw, Path, Path], object],
) -> Callable[[Raw, Path, Path], None]:
    """A preparation that moves the sample submission to the public folder."""

    def prepare_with_sample(raw: Raw, public: Path, private: Path) -> None:
        from mlebench.archives.writing import open_output

        prepare(raw, public, private)
        with open_output(public / SAMPLE) as stream:
            stream.write((private / SAMPLE).read_bytes())
        (private / SAMPLE).unlink()

    return prepare_with_sample
