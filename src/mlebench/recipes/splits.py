"""Splits of one table: which tables a competition publishes, and which it keeps.

A recipe is called as `recipe(raw, public, private)` and returns the two parts. A competition that
splits its rows in another way passes the parts to `write`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from mlebench.tables import one_hot, read_table, split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.archives.raw import Raw

Parts: TypeAlias = "tuple[pd.DataFrame, pd.DataFrame]"
"""Train and test rows."""

SampleValue: TypeAlias = "object | Mapping[str, object] | Callable[[int], object]"
"""One value for all cells, a value per target, or a function from a number of rows to a column."""

SAMPLE = "sample_submission.csv"


class Rows(Protocol):
    """The facts of a submission format that a recipe needs."""

    @property
    def id(self) -> str: ...
    @property
    def targets(self) -> list[str]: ...


def write_sample(rows: Rows, test: pd.DataFrame, path: Path, value: SampleValue) -> None:
    """The ids of the test part with a guess for each target."""
    guess = value(len(test)) if callable(value) else value
    guesses = guess if isinstance(guess, Mapping) else dict.fromkeys(rows.targets, guess)
    write_table(_with_columns(test[[rows.id]], guesses), path)


def write_classes(rows: Rows, test: pd.DataFrame, path: Path, label: str) -> None:
    """The ids of the test part with 0 or 1 for each target: whether the label is that class."""
    write_table(_with_columns(test[[rows.id]], one_hot(test[label], rows.targets)), path)


def _with_columns(ids: pd.DataFrame, columns: Mapping[str, Any]) -> pd.DataFrame:
    import pandas as pd

    # All at once: pandas warns if a hundred columns are added one by one.
    return pd.concat([ids, pd.DataFrame(dict(columns), index=ids.index)], axis=1)


@dataclass(frozen=True)
class Split(ABC):
    """One table, shuffled and split into train and test; what is written depends on the kind."""

    rows: Rows
    test_size: float | int = 0.1
    sample_value: SampleValue = 0
    table: str = "train.csv"
    """Name of the labelled table, in the raw data and of the public train part."""

    def __call__(self, raw: Raw, public: Path, private: Path) -> Parts:
        parts = split_rows(read_table(raw / self.table), test_size=self.test_size)
        self.write(parts, public, private)
        return parts

    def write(self, parts: Parts, public: Path, private: Path) -> None:
        """Write parts that the caller may have split in another way."""
        train, test = parts
        write_table(train, public / self.table)
        self.write_test(test, public, private)
        write_sample(self.rows, test, public / SAMPLE, self.sample_value)

    @abstractmethod
    def write_test(self, test: pd.DataFrame, public: Path, private: Path) -> None:
        """Write the answers, and the public table of the test part if there is one."""


@dataclass(frozen=True)
class TableSplit(Split):
    """Four tables: train, test without targets, answers, sample submission."""

    answers: str = "test.csv"
    hidden: tuple[str, ...] = ()
    """Further columns that are not in the public test table."""

    def write_test(self, test: pd.DataFrame, public: Path, private: Path) -> None:
        shown = test.drop(columns=[*self.rows.targets, *self.hidden])
        write_table(shown, public / "test.csv")
        write_table(test, private / self.answers)


@dataclass(frozen=True)
class LabelSplit(Split):
    """Three tables: labels of the train part, answers, sample submission, which lists the test ids.

    For labels of files; a step of a `Recipe` copies the files themselves.
    """

    answers: str = "test.csv"

    def write_test(self, test: pd.DataFrame, public: Path, private: Path) -> None:
        write_table(test, private / self.answers)


@dataclass(frozen=True)
class ClassSplit(Split):
    """Four tables; a column of class names becomes an answer column of 0 and 1 for each class."""

    label: str = "label"
    """The column that is not in the public test table; the targets are its values."""

    def write_test(self, test: pd.DataFrame, public: Path, private: Path) -> None:
        write_table(test.drop(columns=self.label), public / "test.csv")
        write_classes(self.rows, test, private / "test.csv", self.label)
