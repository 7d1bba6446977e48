"""Preparations that several competitions share, each as a small record with at most six facts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from mlebench.data.raw import Raw
from mlebench.data.tables import read_table, split_rows, write_table


class Rows(Protocol):
    """What a recipe wants to know of a submission format."""

    @property
    def id(self) -> str: ...
    @property
    def targets(self) -> list[str]: ...


@dataclass(frozen=True)
class TableSplit:
    """One table, shuffled and split: `train.csv`, `test.csv` without the targets, a sample submission."""

    rows: Rows
    test_size: float | int = 0.1
    sample_value: Any = 0
    hidden: tuple[str, ...] = ()
    """Further columns that the public test table lacks."""

    train_name: str = "train.csv"

    def __call__(self, raw: Raw, public: Path, private: Path) -> None:
        targets = self.rows.targets
        train, test = split_rows(read_table(raw / "train.csv"), test_size=self.test_size)
        write_table(train, public / self.train_name)
        write_table(test.drop(columns=[*targets, *self.hidden]), public / "test.csv")
        write_table(test, private / "test.csv")
        sample = test[[self.rows.id]].assign(**dict.fromkeys(targets, self.sample_value))
        write_table(sample, public / "sample_submission.csv")
