"""Rules for submissions that are stricter than grading, made from the sample submission alone.

The published graders accept many odd files, each in its own way. An agent that asks is told about
everything that is odd; what it is told depends on its file and on public files only.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.base import shorten
from mlebench.formats.matching import one_by_one
from mlebench.grading.reading import (
    BOM,
    SubmissionTable,
    csv_rows,
    header_of,
    parse_submission,
    read_texts,
)

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from mlebench.catalogue import LocatedCompetition
    from mlebench.formats import Format

NUMBERS = "iuf"
NO_MARKS = bytes(set(range(256)) - set(b",\n"))
"""Every byte that ends neither a cell nor a row."""

PADDING = (b" ", b"\t", b"\v", b"\f")


@dataclass(frozen=True)
class SampleRules:
    """What a sample submission shows: columns, spellings of ids, oddities that are usual here."""

    columns: frozenset[str]
    rows: int
    """The number of rows of the sample, even if the published grader accepts other numbers."""

    id: str | None
    """The column that names the rows: that of the format, else the sample's first if unique."""

    ids: pd.Series | None
    """The ids as pandas reads them, in the order of the sample."""

    spellings: pd.Series
    """How ids may be spelled: as in the sample, or as pandas prints the ids that it has read."""

    decimals: tuple[str, ...]
    """Columns of numbers with a decimal point."""

    warnings: frozenset[str]

    @classmethod
    def of(cls, competition: LocatedCompetition) -> SampleRules:
        """The rules of a prepared competition."""
        sample, definition = competition.sample_submission, competition.definition
        text = sample.read_bytes()
        found = parse_submission(text, sample.name, texts=definition.texts)
        return cls.from_sample(text, found, definition.submission)

    @classmethod
    def from_sample(cls, text: bytes, sample: SubmissionTable, form: Format) -> SampleRules:
        """The rules of a competition with this sample submission and format."""
        import pandas as pd

        known = {*header_of(text), *form.targets, *([form.id] if form.id else [])}
        usual = frozenset(sample.warnings)
        table = sample.table
        decimals = tuple(
            str(name)
            for name in table.columns
            if table[name].dtype.kind == "f" and name != form.id and not table[name].hasnans
        )
        rows, name = len(table), form.id or _id_of(table)
        if name is None or name not in table:
            return cls(frozenset(known), rows, None, None, pd.Series(dtype=str), decimals, usual)
        ids = table[name]
        texts = read_texts(text, [name])[name]
        spelled = pd.concat([texts, ids.map(str).astype(texts.dtype)]).drop_duplicates()
        return cls(frozenset(known), rows, name, ids, spelled, decimals, usual)

    def check(self, text: bytes, found: SubmissionTable) -> None:
        """Raise InvalidSubmissionError unless the file is as plain as the sample submission."""
        if not text.isascii():
            _check_encoding(text)
        for warning in found.warnings:
            if warning not in self.warnings:
                raise InvalidSubmissionError(warning)
        extra = [name for name in header_of(text) if name not in self.columns]
        if extra:
            raise InvalidSubmissionError(
                f"submission has further columns {shorten(extra)}; expected those of the sample"
                " submission"
            )
        _check_widths(text)
        if len(found.table) != self.rows:
            raise InvalidSubmissionError(
                f"submission has {len(found.table):,} rows, expected {self.rows:,} as in the sample"
                " submission"
            )
        if self.id is not None and self.id in found.table:
            self._check_ids(text, found.table[self.id])
        self._check_numbers(found.table)
        if any(mark in text for mark in PADDING):
            _check_padding(text, found.table)

    def _check_numbers(self, table: pd.DataFrame) -> None:
        """Check that numbers are finite where the sample has decimals."""
        for name in self.decimals:
            if name not in table:
                continue
            column = table[name]
            if column.dtype.kind not in NUMBERS:
                raise InvalidSubmissionError(f"column {name!r} has values that are not numbers")
            if not np.isfinite(column.to_numpy()).all():
                raise InvalidSubmissionError(f"column {name!r} has values that are not finite")

    def _check_ids(self, text: bytes, given: pd.Series) -> None:
        if not self._is_plain(text, given):
            texts = read_texts(text, [str(self.id)])[str(self.id)]
            if (row := _first(~texts.isin(self.spellings))) is not None:
                raise InvalidSubmissionError(
                    f"row {row + 1} has the {self.id} {texts.iloc[row][:80]!r}, which is not"
                    " spelled as in the sample submission"
                )
        if self.ids is not None and given.dtype == self.ids.dtype and not given.equals(self.ids):
            self._check_counts(given, self.ids)

    def _is_plain(self, text: bytes, given: pd.Series) -> bool:
        """Whether ids that are read as equal are spelled equally, without looking at each."""
        if self.ids is None or given.dtype != self.ids.dtype:
            return False
        if given.dtype.kind in "iu":
            return header_of(text)[0] == self.id and _begin_with_plain_numbers(text)
        return given.dtype.kind not in "fbc" and not given.hasnans

    def _check_counts(self, given: pd.Series, known: pd.Series) -> None:
        """Check that all ids are in the sample, with as many rows for each."""
        if one_by_one(given, known) is not None:
            return
        foreign = given[~given.isin(known)]
        if len(foreign):
            raise InvalidSubmissionError(
                f"{len(foreign):,} values of {self.id!r} are not those of the sample submission,"
                f" for example {str(foreign.iloc[0])[:80]!r}"
            )
        found, expected = given.value_counts(), known.value_counts()
        difference = found.sub(expected, fill_value=0)
        # A repeated id says more than the one that is missing instead.
        wrong = difference[difference != 0].sort_values(ascending=False)
        if len(wrong):
            name = wrong.index[0]
            raise InvalidSubmissionError(
                f"{self.id!r} has {found.get(name, 0):,} rows with {str(name)[:80]!r}, expected"
                f" {expected[name]:,} as in the sample submission"
            )


def _id_of(sample: pd.DataFrame) -> str | None:
    """The first column, if it names rows: a format that pairs rows by position has no id."""
    first = sample.columns[0]
    return str(first) if sample[first].is_unique else None


def _check_encoding(text: bytes) -> None:
    """Check that the file is UTF-8: pandas removes quotes inside a character before it decodes."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise InvalidSubmissionError(f"line {line} is not UTF-8 text") from None


def _check_widths(text: bytes) -> None:
    """Check that rows have as many fields as the header; pandas skips or fills the others."""
    text = text.removeprefix(BOM).strip(b"\r\n")
    if b'"' in text:
        widths = _widths_with_quotes(text)
    elif _are_regular(text):
        return
    else:
        widths = _widths(text)
    if (row := _first(widths != widths[0])) is not None:
        raise InvalidSubmissionError(
            f"row {row} has {widths[row]:,} fields, the header has {widths[0]:,}"
        )


def _are_regular(text: bytes) -> bool:
    """Whether each line has as many commas as the first, and at least one; a fast check."""
    marks = text.translate(None, NO_MARKS) + b"\n"
    first = marks[: marks.index(b"\n") + 1]
    return len(first) > 1 and marks == first * (len(marks) // len(first))


def _widths(text: bytes) -> NDArray[np.int64]:
    """The number of fields in each line of a CSV without quotes; 0 for an empty line."""
    marks = np.frombuffer(text + b"\n", np.uint8)
    ends = np.flatnonzero(marks == ord("\n"))
    commas = np.searchsorted(np.flatnonzero(marks == ord(",")), ends)
    starts = np.append(0, ends[:-1] + 1)
    is_empty = (ends == starts) | ((ends == starts + 1) & (marks[starts] == ord("\r")))
    return np.where(is_empty, 0, np.diff(commas, prepend=0) + 1)


def _widths_with_quotes(text: bytes) -> NDArray[np.int64]:
    try:
        return np.fromiter(map(len, csv_rows(text.decode())), np.int64)
    except csv.Error as error:
        raise InvalidSubmissionError(f"the file is not a plain CSV: {error}") from None


def _check_padding(text: bytes, table: pd.DataFrame) -> None:
    """Check that no blanks surround numbers: pandas reads ` 0.5`, other programs do not."""
    names = [str(name) for name in table.columns if table[name].dtype.kind in NUMBERS]
    for name, column in read_texts(text, names).items() if names else ():
        if (row := _first(column != column.str.strip())) is not None:
            raise InvalidSubmissionError(
                f"row {row + 1} has blanks around the number in column {name!r}"
            )


def _begin_with_plain_numbers(text: bytes) -> bool:
    """Whether all lines but the first begin with digits, none of them a 0 that could be left out.

    A file with quotes or blanks is not searched: false.
    """
    if any(mark in text for mark in (*PADDING, b'"')):
        return False
    marks = np.frombuffer(text.rstrip(b"\r\n") + b"\n", np.uint8)
    starts = np.flatnonzero(marks == ord("\n"))[:-1] + 1
    first, second = _is_digit(marks[starts]), _is_digit(marks[starts + 1])
    return bool((first & ~(second & (marks[starts] == ord("0")))).all())


def _is_digit(marks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (marks >= ord("0")) & (marks <= ord("9"))


def _first(flags: pd.Series[bool] | NDArray[np.bool_]) -> int | None:
    """The position of the first true value."""
    places = np.flatnonzero(flags)
    return int(places[0]) if len(places) else None
