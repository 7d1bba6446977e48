"""A table of 130 million events and a file of pulses per batch, split by batch."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.archives.copying import copy_file, copy_files
from mlebench.archives.raw import Raw
from mlebench.tables import Splitting, split_rows, write_table

if TYPE_CHECKING:
    import pandas as pd

ANGLES = ["azimuth", "zenith"]
EVENT = ["batch_id", "event_id", "first_pulse_index", "last_pulse_index"]


def prepare(raw: Raw, public: Path, private: Path, *, split: Splitting = split_rows) -> None:
    with opened_parquet(raw / "train_meta.parquet") as meta:
        train, test = split(distinct_batches(meta), test_size=0.1)
        answers = split_events(meta, set(train), set(test), public)
    write_table(answers, private / "test.csv")
    sample = answers.assign(**dict.fromkeys(ANGLES, 1))
    write_table(sample, public / "sample_submission.csv")
    copy_file(raw / "sensor_geometry.csv", public / "sensor_geometry.csv")
    batches = {file: int(file.stem.split("_")[-1]) for file in (raw / "train").files("*.parquet")}
    for numbers, folder in ((set(train), "train"), (set(test), "test")):
        files = {file.name: file for file, number in batches.items() if number in numbers}
        copy_files(files, public / folder)


def distinct_batches(meta: Any) -> list[int]:
    """Batch numbers in the order in which they appear."""
    pieces = meta.iter_batches(columns=["batch_id"])
    return list(dict.fromkeys(n for piece in pieces for n in piece.column(0).unique().to_pylist()))


def split_events(meta: Any, train: set[int], test: set[int], public: Path) -> pd.DataFrame:
    """Write the public tables of events piece by piece; returns the answers of the test part."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    answers = []
    columns = {"train_meta.parquet": [*EVENT, *ANGLES], "test_meta.parquet": EVENT}
    with ExitStack() as stack:
        writers = {}
        for name, names in columns.items():
            schema = pa.schema([meta.schema_arrow.field(column) for column in names])
            writers[name] = stack.enter_context(pq.ParquetWriter(public / name, schema))
        for piece in meta.iter_batches(batch_size=1 << 20, columns=[*EVENT, *ANGLES]):
            events = pa.Table.from_batches([piece]).replace_schema_metadata()
            batch = events["batch_id"]
            for numbers, name in zip((train, test), columns, strict=True):
                part = events.filter(pc.is_in(batch, pa.array(sorted(numbers), batch.type)))
                writers[name].write_table(part.select(columns[name]))
            answers.append(part.select(["event_id", *ANGLES]))
    table: pd.DataFrame = pa.concat_tables(answers).to_pandas()
    return table


@contextmanager
def opened_parquet(source: Raw) -> Iterator[Any]:
    """A parquet file to read in pieces, which a stream from an archive does not allow."""
    import pyarrow.parquet as pq

    with tempfile.TemporaryFile(dir=source.scratch) as copy:
        with source.open() as stream:
            shutil.copyfileobj(stream, copy, 1 << 20)
        yield pq.ParquetFile(copy)
