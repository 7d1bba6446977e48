"""Audited: a prepared competition with its public files and tables, as the checks see them."""

from __future__ import annotations

import gzip
import re
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlebench.archives.raw import RawFolder
from mlebench.audit.containers import content_of, tables_of
from mlebench.audit.examined import Examined
from mlebench.audit.fields import TABLES, separator
from mlebench.audit.files import PublicFile, streams
from mlebench.audit.training import predict
from mlebench.errors import DataError
from mlebench.tables import read_table

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.catalogue import LocatedCompetition

Part = Literal["train", "test", "other"]
LARGEST_TABLE = 1 << 30
MOST_CONTAINERS, FEW_IDS = 50, 0.05
TRAIN = re.compile(r"(?i)(^|[/_.\-])(train|labels)")
TEST = re.compile(r"(?i)(^|[/_.\-])(test|eval)")


@dataclass(frozen=True)
class Audited(Examined):
    """What several checks look at; archives stay open while the audit runs."""

    with_baseline: bool = True
    stack: ExitStack = field(default_factory=ExitStack, compare=False)

    @classmethod
    @contextmanager
    def open(cls, competition: LocatedCompetition, *, with_baseline: bool) -> Iterator[Audited]:
        with ExitStack() as stack:
            yield cls(competition, with_baseline, stack)

    @cached_property
    def baseline(self) -> pd.DataFrame | None:
        """What the baseline agent predicts from the public data; it is trained once."""
        return predict(self.competition.public_dir, self.sample) if self.with_baseline else None

    @cached_property
    def truth(self) -> pd.DataFrame | None:
        """The answers by id, as text; None if they are not a table or ids repeat."""
        if self.competition.answers.suffix != ".csv" or self.id_name not in self.answers.columns:
            return None
        ids = self.answers[self.id_name].astype(str)
        if ids.duplicated().any():
            return None
        known: pd.DataFrame = self.answers.assign(**{self.id_name: ids}).set_index(self.id_name)
        return known

    @cached_property
    def labels(self) -> dict[str, pd.Series]:
        """Up to five predicted columns of the answers that have at least two values."""
        if self.truth is None:
            return {}
        scored = self.truth
        if "Usage" in scored.columns:
            scored = scored[scored["Usage"].astype(str) != "Ignored"]
        found = {name: scored[name].dropna() for name in self.targets if name in scored.columns}
        return dict([item for item in found.items() if item[1].nunique() > 1][:5])

    @cached_property
    def sample_ids(self) -> list[str]:
        has_ids = self.id_name in self.sample.columns
        return self.sample[self.id_name].astype(str).to_list() if has_ids else []

    @cached_property
    def files(self) -> list[PublicFile]:
        """All public files and members of archives, without the description."""
        found = streams(RawFolder(self.competition.public_dir), "", self.stack)
        return [stream for stream in found if stream.path != "description.md"]

    @cached_property
    def item_files(self) -> dict[str, list[PublicFile]]:
        """The files of each test item, whose names are its id."""
        return self.find_files(self.sample_ids, "test")

    @cached_property
    def items(self) -> dict[str, PublicFile]:
        """The first file of each test item."""
        return {name: files[0] for name, files in self.item_files.items()}

    def find_files(self, ids: Iterable[str], part: Part) -> dict[str, list[PublicFile]]:
        """The files of each item, outside the folders of the other part."""
        wanted, found = set(ids), dict[str, list[PublicFile]]()
        other = "train" if part == "test" else "test"
        for stream in self.files:
            if self.part_of(stream) != other:
                names = {stream.stem, stream.name, stream.name.split(".")[0]}
                for name in names & wanted:
                    found.setdefault(name, []).append(stream)
        return found

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The public tables by path, without the sample submission.

        Those inside containers follow their file: `train.json#annotations`. A folder of many
        containers is one of items, not of tables.
        """
        sample = self.competition.sample_submission
        beside = Counter(stream.folder_and_kind for stream in self.files)
        found: dict[str, pd.DataFrame] = {}
        for stream in self.files:
            is_sample = stream.local is not None and stream.name == sample.name
            if is_sample or "sample_submission" in stream.path.lower():
                continue
            if stream.path.removesuffix(".gz").endswith(TABLES):
                table = read_public_table(stream)
                if table is not None:
                    found[stream.path] = table
            elif beside[stream.folder_and_kind] <= MOST_CONTAINERS:
                inside = tables_of(content_of(stream))
                found |= {f"{stream.path}{path}": table for path, table in inside.items()}
        return found

    @property
    def unread(self) -> list[str]:
        """Tables that are too large to be read."""
        tables = [file for file in self.files if file.path.endswith(TABLES)]
        return [file.path for file in tables if file.raw.size() > LARGEST_TABLE]

    @cached_property
    def test_parts(self) -> dict[str, pd.DataFrame]:
        """Tables whose ids are all test ids, with the ids as index."""
        wanted, found = set(self.sample_ids), {}
        for path, table in self.tables.items():
            ids = self.ids_in(table)
            if ids is not None and len(ids) and wanted.issuperset(ids):
                found[path] = table.set_index(ids)
        return found

    @cached_property
    def mixed_parts(self) -> dict[str, pd.DataFrame]:
        """The rows of test ids in other tables, with the ids as index."""
        if "renumbered" in self.competition.definition.accepts:
            return {}
        wanted, found = set(self.sample_ids), {}
        for path, table in self.tables.items():
            ids = None if path in self.test_parts else self.ids_in(table)
            if ids is not None and (rows := ids.isin(wanted)).any():
                found[path] = table[rows].set_index(ids[rows])
        return found

    def ids_in(self, table: pd.DataFrame) -> pd.Series | None:
        """The ids of a table as text; those of a column with another name if it has test ids.

        That column may contain file names. Numbers may mean anything, so a column of numbers must
        contain exactly the test ids.
        """
        if self.id_name in table.columns:
            return table[self.id_name].astype(str)
        wanted = set(self.sample_ids)
        for name in table.columns:
            column = table[name]
            if column.dtype.kind in "fb" or len(column) < len(wanted) * FEW_IDS:
                continue
            texts = column.astype(str)
            for ids in (texts, texts.str.rpartition("/")[2].str.rpartition(".")[0]):
                if column.dtype.kind in "iu" or texts.str.isdecimal().all():
                    is_id = len(ids) == len(wanted) and set(ids) == wanted
                else:
                    is_id = ids.is_unique and ids.isin(wanted).mean() > FEW_IDS
                if is_id:
                    return ids
        return None

    @cached_property
    def test_tables(self) -> dict[str, pd.DataFrame]:
        """Those of `test_parts` with one row for each id."""
        return {path: table for path, table in self.test_parts.items() if table.index.is_unique}

    @cached_property
    def train_tables(self) -> dict[str, pd.DataFrame]:
        """Tables named for training, and those with a predicted column."""
        return {
            path: table
            for path, table in self.tables.items()
            if path not in self.test_parts
            and (TRAIN.search(path) or any(name in table.columns for name in self.targets))
        }

    def part_of(self, stream: PublicFile) -> Part:
        if TEST.search(stream.path):
            return "test"
        return "train" if TRAIN.search(stream.path) else "other"


def read_public_table(stream: PublicFile) -> pd.DataFrame | None:
    """A table; None if it is too large or cannot be read as one."""
    if stream.raw.size() > LARGEST_TABLE:
        return None
    plain = stream.path.removesuffix(".gz")
    sep = separator(plain[-4:])
    try:
        if plain == stream.path:
            return read_table(stream.raw, sep=sep)
        with tempfile.NamedTemporaryFile() as file:
            with stream.raw.open() as packed, gzip.open(packed) as content:
                file.write(content.read(LARGEST_TABLE))
            file.flush()
            return read_table(Path(file.name), sep=sep)
    except (ValueError, DataError, OSError, EOFError, zlib.error):
        return None
