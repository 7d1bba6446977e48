"""Public fields about single test items, and how well each one tells the labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.fields import tags
from mlebench.audit.statistics import CHANCE, FEW_ROWS, chance_of_exceptions, separation

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.audit.files import PublicFile

MOST_ITEMS = 500
SEPARATORS = re.compile(r"[\W_]+")
ID_PARTS = "the ids"


@dataclass(frozen=True)
class TellingField:
    """A column of test tables or a tag of test files, measured against one target."""

    name: str
    path: str | None
    """The table of a column; None for a tag."""

    target: str
    separation: float
    is_feature: bool
    """Whether it is not metadata but a column of both parts that the description names."""

    def __str__(self) -> str:
        if self.path:
            return f"column {self.name!r} of {self.path}"
        return f"tag {self.name!r} of test files"


def telling_fields(audited: Audited, least: float) -> Iterator[TellingField]:
    """The fields that separate a target at least so well."""
    trained = {name for table in audited.train_tables.values() for name in table.columns}
    for path, name, values in _fields(audited):
        is_in_both = path is not None and name in trained
        if is_in_both and not audited.has_own_board:
            continue  # rehearsal data of the benchmark makes labels from features
        is_feature = is_in_both and is_described(name, audited.competition.description)
        for target, labels in audited.labels.items():
            both = labels.index.intersection(values.index)
            if len(both) >= FEW_ROWS:
                figure = separation(np.asarray(values[both]), np.asarray(labels[both]))
                if figure > least:
                    yield TellingField(name, path, target, round(figure, 4), is_feature)


def is_described(column: str, description: str) -> bool:
    """Whether a description names a column: as code, in bold, or with its meaning after it."""
    name = re.escape(column)
    forms = rf"`{name}`|\*\*{name}\*\*|^[\s*|-]*{name}(?:\s*[:=|]|\s+[-–—]\s)"
    return re.search(forms, description, re.M | re.I) is not None


def exceptional_fields(audited: Audited) -> Iterator[str]:
    """Fields whose unusual values occur with one label only, more often than by chance."""
    for path, name, values in _fields(audited):
        for labels in audited.labels.values():
            both = labels.index.intersection(values.index)
            if len(both) >= FEW_ROWS and chance_of_exceptions(values[both], labels[both]) < CHANCE:
                yield f"{name!r} of {path or 'test files'}"
                break


def _fields(audited: Audited) -> Iterator[tuple[str | None, str, pd.Series]]:
    """Columns of test tables, parts of the ids, then tags of the files of test items."""
    for path, table in (audited.test_tables | audited.mixed_parts).items():
        for column in table.columns if table.index.is_unique else ():
            if column != audited.id_name:
                yield path, str(column), table[column]
    yield from ((ID_PARTS, name, values) for name, values in _id_parts(audited.sample_ids))
    found = read_tags(dict(islice(audited.item_files.items(), MOST_ITEMS)))
    for name in found.columns:
        yield None, str(name), found[name]


def _id_parts(ids: list[str]) -> Iterator[tuple[str, pd.Series]]:
    """The parts of ids between separators, such as two of `a-7`, if all ids have as many."""
    import pandas as pd

    parts = [SEPARATORS.split(name) for name in ids]
    if len({len(row) for row in parts}) == 1 and len(parts[0]) > 1:
        table = pd.DataFrame(parts, index=ids)
        for place, name in enumerate(table.columns, start=1):
            yield f"part {place}", _numbers_or_texts(table[name])


def read_tags(items: dict[str, list[PublicFile]]) -> pd.DataFrame:
    """The tags of the files of items, a row for each; columns of numbers only are numbers."""
    import pandas as pd

    # Of two files with the same tag the first one counts.
    rows = {
        n: {k: v for f in reversed(files) for k, v in tags(f).items()} for n, files in items.items()
    }
    found = pd.DataFrame.from_dict(rows, orient="index")
    return found.apply(_numbers_or_texts)


def _numbers_or_texts(column: pd.Series) -> pd.Series:
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    return column.fillna("") if numbers.isna().any() else numbers
