"""Raw data as a declaration: tables, files and archives, drawn in the order of their listing.

A part is a file, or whatever returns parts when it is called with a `Making`: one of the records
here, or a function of the competition where nothing standard fits.
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any

from mlebench.rehearsal.content import File, csv_file
from mlebench.rehearsal.draws import Draw, rng, value_of


@dataclass(frozen=True)
class Making:
    """What a part works with: seed, size, random stream, and the values drawn so far."""

    seed: int
    scale: int
    r: Random
    drawn: dict[int, tuple[object, list[Any]]] = field(default_factory=dict)

    def once(self, owner: object, draw: Callable[[Making], list[Any]]) -> list[Any]:
        """What `draw` returns, called a single time for each owner."""
        if id(owner) not in self.drawn:
            # The owner is kept as well: as long as it exists, no other object has its id.
            self.drawn[id(owner)] = owner, draw(self)
        return self.drawn[id(owner)][1]

    def stream(self, name: str) -> Random:
        """A random stream separate from that of the part."""
        return rng(self.seed, name)


Part = File | Callable[[Making], "Iterable[Part]"]
Parts = Iterator[Part]
Count = int | Callable[[Making], int]
"""How many at scale 1, or a function where scale is not simply a factor."""


def files_of(parts: Iterable[Part], making: Making) -> Iterator[File]:
    for part in parts:
        if isinstance(part, tuple):
            yield part
        else:
            yield from files_of(part(making), making)


class RawData:
    """The `make_raw` of a competition: the files of its parts, in a folder or packed."""

    def __init__(self, stream: str, *parts: Part) -> None:
        self.stream = stream
        self.parts = parts

    def files(self, seed: int, scale: int = 1) -> Iterator[File]:
        """Names and contents; a name that ends with a slash is a folder."""
        return files_of(self.parts, Making(seed, scale, rng(seed, self.stream)))

    def pack(self, archive: Path, seed: int, scale: int = 1) -> None:
        """Write all files into one zip file, uncompressed."""
        with zipfile.ZipFile(archive, "w") as out:
            for name, content in self.files(seed, scale):
                out.writestr(zipfile.ZipInfo(name), content)

    def __call__(self, raw: Path, seed: int, scale: int = 1) -> None:
        """Write all files below a folder."""
        made = set()
        for name, content in self.files(seed, scale):
            folder, _, file = name.rpartition("/")
            if folder not in made:
                made.add(folder)
                (raw / folder).mkdir(parents=True, exist_ok=True)
            if file:
                with open(f"{raw}/{name}", "wb") as out:
                    out.write(content)


def raw_data(stream: str) -> Callable[[Callable[[Making], Iterable[Part]]], RawData]:
    """Turn a function that yields the parts of a competition into its `make_raw`."""
    return lambda part: RawData(stream, part)


class Stream:
    """Parts that draw from a random stream of their own."""

    def __init__(self, name: str, *parts: Part) -> None:
        self.name = name
        self.parts = parts

    def __call__(self, making: Making) -> Iterator[File]:
        return files_of(self.parts, replace(making, r=making.stream(self.name)))


class Series:
    """Values that parts share, drawn once: where they are listed, or where they are first used."""

    def draw(self, making: Making) -> list[Any]:
        raise NotImplementedError

    def values(self, making: Making) -> list[Any]:
        return making.once(self, self.draw)

    def split(self, count: Count) -> tuple[Series, Series]:
        """The first `count` times scale, and the others."""
        return Slice(self, count, is_start=True), Slice(self, count, is_start=False)

    def __call__(self, making: Making) -> Iterator[File]:
        self.values(making)
        return iter(())


@dataclass(frozen=True)
class Slice(Series):
    """A part of other values."""

    series: Series
    count: Count
    is_start: bool

    def draw(self, making: Making) -> list[Any]:
        values, at = self.series.values(making), size_of(self.count, 0, making)
        return values[:at] if self.is_start else values[at:]


@dataclass(frozen=True)
class Ids(Series):
    """`count` times scale plus `fixed` values from a draw."""

    source: Draw
    count: Count = 0
    fixed: int = 0
    is_sorted: bool = True
    extra: Sequence[Any] = ()
    """Values that are there whatever is drawn."""

    def draw(self, making: Making) -> list[Any]:
        found = [self.source(making.r) for _ in range(size_of(self.count, self.fixed, making))]
        found += self.extra
        return sorted(found) if self.is_sorted else found


@dataclass(frozen=True)
class Sampled(Series):
    """Different values out of a pool, as texts if they have a `form`."""

    pool: Sequence[Any]
    count: Count = 0
    fixed: int = 0
    form: str = ""
    is_sorted: bool = False

    def draw(self, making: Making) -> list[Any]:
        found = making.r.sample(self.pool, size_of(self.count, self.fixed, making))
        if self.is_sorted:
            found.sort()
        return [self.form.format(value) for value in found] if self.form else found


@dataclass(frozen=True)
class Numbered(Series):
    """Ascending numbers, as texts if they have a `form`."""

    count: Count = 0
    fixed: int = 0
    start: int = 1
    form: str = ""

    def draw(self, making: Making) -> list[Any]:
        found = range(self.start, self.start + size_of(self.count, self.fixed, making))
        return [self.form.format(number) for number in found] if self.form else list(found)


def size_of(count: Count, fixed: int, making: Making) -> int:
    return (count * making.scale if isinstance(count, int) else count(making)) + fixed


@dataclass(frozen=True)
class Of:
    """A cell that follows from cells to its left: `Of("x,y", make)` calls `make(r, x, y)`."""

    columns: str
    make: Callable[..., object]


@dataclass(frozen=True)
class Table:
    """A CSV file, drawn row by row.

    A column is a constant, a list, a `Series`, a draw, or `Of` another column. The number of rows
    is that of the lists and series, else `count` times scale plus `fixed`. A key may name several
    columns, `"x,y"`; what is drawn for it then has a value for each. A column whose name starts
    with `_` is drawn, for other parts to use, but not written.
    """

    name: str
    columns: Mapping[str, object]
    count: Count = 0
    fixed: int = 0
    sorted_by: str = ""
    quoting: Any = csv.QUOTE_MINIMAL

    @cached_property
    def header(self) -> list[str]:
        return ",".join(self.columns).split(",")

    def __call__(self, making: Making) -> Iterator[File]:
        is_shown = [not name.startswith("_") for name in self.header]
        rows = (compress(row, is_shown) for row in self.rows(making))
        yield csv_file(self.name, list(compress(self.header, is_shown)), rows, self.quoting)

    def __getitem__(self, columns: str) -> Series:
        """A column, or the tuples of several: `train["label,image"]`."""
        return ColumnOf(self, columns)

    def rows(self, making: Making) -> list[Any]:
        return making.once(self, self._draw)

    def _draw(self, making: Making) -> list[Any]:
        rows = list(self._drawn_rows(making))
        if self.sorted_by:
            rows.sort(key=itemgetter(self.header.index(self.sorted_by)))
        return rows

    def _drawn_rows(self, making: Making) -> Iterator[list[Any]]:
        lists = {
            name: column.values(making) if isinstance(column, Series) else column
            for name, column in self.columns.items()
            if isinstance(column, Series | list)
        }
        sizes = {len(values) for values in lists.values()}
        if len(sizes) > 1:
            raise ValueError(f"{self.name}: columns have different lengths: {sorted(sizes)}")
        count = sizes.pop() if sizes else size_of(self.count, self.fixed, making)
        for number in range(count):
            row: list[Any] = []
            for name, column in self.columns.items():
                cell = lists[name][number] if name in lists else self._cell(column, row, making.r)
                if "," in name:
                    row.extend(cell)
                else:
                    row.append(cell)
            if len(row) != len(self.header):
                cells = f"{len(row)} cells for {len(self.header)} columns"
                raise ValueError(f"{self.name}: row {number} has {cells}")
            yield row

    def _cell(self, column: object, row: list[Any], r: Random) -> Any:
        if isinstance(column, Of):
            return column.make(r, *(row[self.header.index(k)] for k in column.columns.split(",")))
        return value_of(column, r)


@dataclass(frozen=True)
class ColumnOf(Series):
    """Columns of a table, for other parts to use."""

    table: Table
    columns: str

    def draw(self, making: Making) -> list[Any]:
        at = map(self.table.header.index, self.columns.split(","))
        return list(map(itemgetter(*at), self.table.rows(making)))


@dataclass(frozen=True)
class FilePerId:
    """A file for each value: `FilePerId("train/{0[0]}/{0}.jpg", ids, jpeg)`.

    The content is drawn for each file, a column of a table, or the same for all.
    """

    pattern: str
    ids: Series | Iterable[Any]
    content: Callable[[Random], bytes] | Series | bytes

    def __call__(self, making: Making) -> Iterator[File]:
        ids = self.ids.values(making) if isinstance(self.ids, Series) else self.ids
        if isinstance(self.content, Series):
            names = map(self.pattern.format, ids)
            yield from zip(names, self.content.values(making), strict=True)
        else:
            for value in ids:
                yield self.pattern.format(value), value_of(self.content, making.r)
