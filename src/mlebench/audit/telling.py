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


@dataclass(frozen=True)
class TellingField:
    """A column of test tables or a tag of test files, measured against one target."""

    name: str
    path: str | None
    """The table of a column; None for a tag."""

    target: str
    separation: float
    is_feature: bool
    """Whether it is no metadata: a column of train and test that the description names."""

    def __str__(self) -> str:
        place = f"column {self.name!r} of {self.path}" if self.path else f"tag {self.name!r}"
        return place if self.path else f"{place} of test files"


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
    """Columns of test tables, then tags of the files of test items."""
    for path, table in audited.test_tables.items():
        for column in table.columns:
            if column != audited.id_name:
                yield path, str(column), table[column]
    found = read_tags(dict(islice(audited.items.items(), MOST_ITEMS)))
    for name in found.columns:
        yield None, str(name), found[name]


def read_tags(items: dict[str, PublicFile]) -> pd.DataFrame:
    """The tags of files, a row for each; columns of numbers only are numbers."""
    import pandas as pd

    found = pd.DataFrame.from_dict({n: tags(file) for n, file in items.items()}, orient="index")
    for name in found.columns:
        numbers = pd.to_numeric(found[name], errors="coerce")
        found[name] = found[name].fillna("") if numbers.isna().any() else numbers
    return found
