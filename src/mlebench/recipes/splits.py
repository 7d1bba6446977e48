"""Preparations that several competitions share, each as a small record with at most six facts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.tables import read_table, split_rows, write_table
from mlebench.tables.frames import Frame


class Rows(Protocol):
    """What a recipe wants to know of a submission format."""

    @property
    def id(self) -> str: ...
    @property
    def targets(self) -> list[str]: ...


@dataclass(frozen=True)
class TableSplit:
    """One table, shuffled and split; the public test table lacks the targets."""

    rows: Rows
    test_size: float | int = 0.1
    sample_value: Any = 0
    hidden: tuple[str, ...] = ()
    """Further columns that the public test table lacks."""

    train_name: str = "train.csv"

    def __call__(self, raw: Raw, public: Path, private: Path) -> None:
        train, test = split_rows(read_table(raw / "train.csv"), test_size=self.test_size)
        write_table(train, public / self.train_name)
        self.write_test(test, public, private)

    def write_test(self, test: Frame, public: Path, private: Path) -> None:
        """The files that hold rows of the test part."""
        targets = self.rows.targets
        write_table(test.drop(columns=[*targets, *self.hidden]), public / "test.csv")
        write_table(test, private / "test.csv")
        sample = test[[self.rows.id]].assign(**dict.fromkeys(targets, self.sample_value))
        write_table(sample, public / "sample_submission.csv")


@dataclass(frozen=True)
class LabelledFiles:
    """A table of labels and a file per row, split by row; the test part is known by its sample."""

    rows: Rows
    files: str = "train/{}.jpg"
    """Where the file of an id lies; the test part's go to the same place below `test`."""

    test_size: float | int = 0.1
    sample_value: Any = 0
    table: str = "train.csv"
    answers: str = "test.csv"

    def __call__(self, raw: Raw, public: Path, private: Path) -> None:
        train, test = split_rows(read_table(raw / self.table), test_size=self.test_size)
        write_table(train, public / self.table)
        write_table(test, private / self.answers)
        ids = self.rows.id
        sample = test[[ids]].assign(**dict.fromkeys(self.rows.targets, self.sample_value))
        write_table(sample, public / "sample_submission.csv")
        copy_split(raw, self.files, public, train=train[ids], test=test[ids])
