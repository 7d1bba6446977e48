"""Check that no field inside public files of the test part contains or tells the answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.audit.audited import TABLES, Audited, PublicFile
from mlebench.audit.fields import LARGEST, field_names, tags
from mlebench.audit.record import Observation, Status
from mlebench.audit.statistics import separation
from mlebench.checking.leaks import FEW_ROWS, check_leaks

if TYPE_CHECKING:
    import pandas as pd

SEPARATED = 0.95
USUAL_NAMES = {"label", "labels", "target", "targets", "answer", "ground_truth", "diagnosis"}
GENERIC = {"id", "value", "x", "y", "x_pos", "y_pos", "predicted", "prediction", "predictionstring"}
TEXTS = (".json", ".jsonl", ".txt", ".xml", ".log", ".nmea", ".yaml", ".mat", ".html", ".md")
MOST_ITEMS, MOST_ANSWERS, SHORTEST, DECIMALS = 500, 300, 12, 6
FOUND_SHARE = 0.2


def check_metadata(audited: Audited) -> Iterator[Observation]:
    """No public field is named as the target, contains answers or separates the labels."""
    for check in check_leaks(audited):
        if check.state != "ok":
            yield Observation("fail", check.reason)
    files = [file for file in audited.files if is_test_file(audited, file)]
    yield from _named_fields(audited, files)
    yield from _answer_strings(audited, files)
    yield from _telling_columns(audited)
    yield from _telling_tags(audited)
    yield Observation("pass", f"no field of {len(files):,} files of the test part tells answers")


def is_test_file(audited: Audited, file: PublicFile) -> bool:
    is_sample = file.name == audited.competition.sample_submission.name
    is_sample |= "submission" in file.name.lower()
    return audited.part_of(file) == "test" and not is_sample


def _named_fields(audited: Audited, files: list[PublicFile]) -> Iterator[Observation]:
    """Fields with the name of a target, or a usual name of one, inside files of the test part."""
    wanted = ({name.lower() for name in audited.targets} - GENERIC) | USUAL_NAMES
    wanted -= {audited.id_name.lower()}
    tabled = set(audited.test_tables)
    for file in files:
        for name in sorted(field_names(file)):
            # Columns of tables by id are judged by their values.
            if name.lower() in wanted and file.path not in tabled:
                status: Status = "warn" if file.path.endswith(TABLES) else "fail"
                yield Observation(status, f"{file.path} has a field {name!r}")


def _answer_strings(audited: Audited, files: list[PublicFile]) -> Iterator[Observation]:
    """Long answers that occur word for word in files of the test part."""
    if audited.competition.answers.suffix != ".csv":
        return
    answers = audited.answers.set_index(audited.answers.columns[0])
    for target in audited.targets:
        if target not in answers.columns:
            continue
        known = answers[target].dropna().drop_duplicates()[:MOST_ANSWERS]
        sought = {spelling: str(item) for item, v in known.items() for spelling in _spellings(v)}
        items: set[str] = set()
        places: set[str] = set()
        for file in files if sought else ():
            if file.raw.suffix.lower() in TEXTS and file.raw.size() <= LARGEST:
                content = file.raw.read_bytes()
                hits = {item for text, item in sought.items() if text in content}
                items |= hits
                places |= {file.path} if hits else set()
        if items and len(items) >= len(known) * FOUND_SHARE:
            text = (
                f"{len(items)} of {len(known)} answers of {target!r} occur in"
                f" {sorted(places)[0]} and {len(places) - 1} more files, as that of {min(items)}"
            )
            yield Observation("fail", text, len(items) / len(known), FOUND_SHARE)


def _spellings(value: Any) -> Iterator[bytes]:
    """A long text, or a number with many decimals: plain, and as degrees with minutes in NMEA."""
    if isinstance(value, str):
        if len(value) >= SHORTEST:
            yield value.encode()
    elif isinstance(value, float) and len(repr(value).rpartition(".")[2]) >= DECIMALS:
        yield f"{value:.{DECIMALS}f}".encode()
        size = abs(value)
        yield f"{int(size) * 100 + size % 1 * 60:.4f}".encode()


def _telling_columns(audited: Audited) -> Iterator[Observation]:
    """Columns of test tables that separate the labels.

    Rehearsal data of the benchmark makes labels from features, so that only columns without a
    counterpart in the training tables count.
    """
    trained = {name for table in audited.train_tables.values() for name in table.columns}
    for path, table in audited.test_tables.items():
        for column in table.columns:
            if column == audited.id_name or (column in trained and not audited.has_own_board):
                continue
            yield from _separating(audited, f"column {column!r} of {path}", table[column])


def _telling_tags(audited: Audited) -> Iterator[Observation]:
    """Tags of the files of test items."""
    import pandas as pd

    chosen = dict(islice(audited.items.items(), MOST_ITEMS))
    found = pd.DataFrame.from_dict({n: tags(file) for n, file in chosen.items()}, orient="index")
    for name in found.columns:
        numbers = pd.to_numeric(found[name], errors="coerce")
        values = found[name].fillna("") if numbers.isna().any() else numbers
        yield from _separating(audited, f"tag {name!r} of test files", values)


def _separating(audited: Audited, name: str, values: pd.Series) -> Iterator[Observation]:
    for target, labels in audited.labels.items():
        both = labels.index.intersection(values.index)
        if len(both) >= FEW_ROWS:
            figure = separation(np.asarray(values[both]), np.asarray(labels[both]))
            if figure > SEPARATED:
                text = f"{name} separates {target!r}"
                yield Observation("fail", text, round(figure, 4), SEPARATED)
