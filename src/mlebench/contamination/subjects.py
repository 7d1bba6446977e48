"""What the probes need from a competition: its name, the first rows of its table, test ids."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from mlebench.archives.raw import Raw, RawFolder, RawPacked
from mlebench.catalogue import LocatedCompetition
from mlebench.contamination.documents import Document
from mlebench.errors import BenchError
from mlebench.formats import RowPerId
from mlebench.records.manifest import is_rehearsal_data

MOST_BYTES = 2 << 20
MOST_ROWS = 2000
MOST_CELLS = 40
LONGEST_ROW = 400
"""Characters; a model could not reproduce a longer row exactly."""


@dataclass(frozen=True)
class TableSample:
    """The first rows of a table in the order of the file that Kaggle serves."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, number: int) -> list[str]:
        return [row[number] for row in self.rows]


@dataclass(frozen=True)
class LabelSource:
    """Test ids, which are public, and where the answers are, which this process never reads."""

    id_column: str
    target: str
    ids: tuple[str, ...]
    answers: Path


@dataclass(frozen=True)
class Subject:
    """A competition as the probes see it; for each missing part there is a reason."""

    id: str
    title: str
    documents: tuple[Document, ...] = ()
    table: TableSample | None = None
    labels: LabelSource | None = None
    train_labels: LabelSource | None = None
    """Ids of the training part with the public file that has their labels."""

    best_score: float | None = None
    test_size: float | None = None
    is_rehearsal: bool = False
    missing: dict[str, str] = field(default_factory=dict)
    """Reasons by name of the part: `table`, `labels`, `train-labels`."""

    def text_of(self, kind: str) -> str | None:
        """The first text of a kind."""
        return next((d.text for d in self.documents if d.kind == kind), None)


def make_subject(competition: LocatedCompetition, documents: Sequence[Document]) -> Subject:
    """Read the data of a competition that is on disk; nothing is downloaded."""
    missing: dict[str, str] = {}
    table = None
    try:
        table = _find_table(competition)
        if table is None:
            missing["table"] = "no raw data with a table is on disk"
    except (BenchError, OSError, csv.Error) as error:
        missing["table"] = str(error)
    found = _find_labels(competition)
    labels = None if isinstance(found, str) else found
    if isinstance(found, str):
        missing["labels"] = missing["train-labels"] = found
    train = _find_train_labels(competition, labels) if labels else None
    if train is None:
        missing.setdefault("train-labels", "no public training table has the ids and the labels")
    size = getattr(competition.definition.prepare, "test_size", None)
    return Subject(
        id=competition.id,
        title=competition.definition.title,
        documents=tuple(d for d in documents if d.competition_id == competition.id),
        table=table,
        labels=labels,
        train_labels=train,
        best_score=_best_score(competition),
        test_size=size if isinstance(size, float) else None,
        is_rehearsal=is_rehearsal_data(competition.folder),
        missing=missing,
    )


def _best_score(competition: LocatedCompetition) -> float | None:
    try:
        return competition.load_leaderboard().scores[0]
    except BenchError:
        return None


def _find_labels(competition: LocatedCompetition) -> LabelSource | str:
    """The test ids, or the reason why there is nothing to ask about."""
    form = competition.definition.submission
    if not competition.answers.is_file():
        return "the data is not prepared"
    if not isinstance(form, RowPerId) or len(form.targets) != 1 or callable(form.truth):
        return "the submission is not one label per id"
    if "renumbered" in competition.definition.accepts:
        return "test ids are not those of the original data"
    if not competition.sample_submission.is_file() or competition.answers.suffix != ".csv":
        return "there is no plain sample submission with the test ids"
    sample = read_sample(competition.sample_submission.read_bytes()[:MOST_BYTES], "sample")
    truth = form.truth if isinstance(form.truth, str) else form.targets[0]
    ids = tuple(sample.column(sample.header.index(form.id)))
    return LabelSource(form.id, truth, ids, competition.answers)


def _find_train_labels(competition: LocatedCompetition, labels: LabelSource) -> LabelSource | None:
    """The ids of the public table that has the same id and the same target."""
    for file in sorted(competition.public_dir.glob("*train*.csv")):
        with file.open(encoding="utf-8", errors="replace", newline="") as stream:
            rows = csv.DictReader(stream)
            if not {labels.id_column, labels.target} <= set(rows.fieldnames or ()):
                continue
            ids = tuple(row[labels.id_column] for row in islice(rows, MOST_ROWS))
            return LabelSource(labels.id_column, labels.target, ids, file) if ids else None
    return None


def _find_table(competition: LocatedCompetition) -> TableSample | None:
    """The training table of the raw data, whose rows are in their published order."""
    with _raw_data(competition) as raw:
        if raw is None:
            return None
        tables = [file for file in raw.walk() if file.name.lower().endswith(".csv")]
        tables = [file for file in tables if "sample" not in file.name.lower()]
        tables.sort(key=lambda file: ("train" not in file.name.lower(), file.name))
        for file in tables[:3]:
            with file.open() as stream:
                sample = read_sample(stream.read(MOST_BYTES), file.name)
            if len(sample.rows) >= 30 and len(sample.header) > 1:
                return sample
    return None


@contextmanager
def _raw_data(competition: LocatedCompetition) -> Iterator[Raw | None]:
    folder = competition.folder
    if folder.archive.is_file():
        with closing(RawPacked.of_zip(folder.archive)) as packed:
            yield packed
    else:
        yield RawFolder(folder.raw) if folder.raw.is_dir() else None


def read_sample(data: bytes, name: str) -> TableSample:
    """The first rows of a table, without the last one if the data may end within it."""
    text = data.decode("utf-8", "replace")
    rows = list(csv.reader(io.StringIO(text)))[: MOST_ROWS + 1]
    if len(data) == MOST_BYTES:
        rows = rows[:-1]
    if not rows:
        return TableSample(name, (), ())
    width = min(len(rows[0]), MOST_CELLS)
    kept = [tuple(row[:width]) for row in rows[1:] if len(row) == len(rows[0])]
    short = [row for row in kept if sum(map(len, row)) <= LONGEST_ROW]
    return TableSample(name, tuple(rows[0][:width]), tuple(short))
