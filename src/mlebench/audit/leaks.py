"""Search of public tables for answers: private files, answer columns, test ids among train."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mlebench.audit.audited import Audited
from mlebench.audit.statistics import FEW_ROWS
from mlebench.records.manifest import walk_files
from mlebench.system.files import sha256

if TYPE_CHECKING:
    import pandas as pd

TRAIN_TABLES = ("train.csv", "train_labels.csv", "labels.csv")


def find_leaks(audited: Audited) -> Iterator[str]:
    """Sentences about answers, private files and shared ids in `public/`."""
    yield from _private_files(audited)
    if audited.competition.answers.suffix == ".csv":
        yield from _answers_in_sample(audited)
        if audited.id_name in audited.answers.columns:
            yield from _shared_ids(audited)
            yield from _answers_in_tables(audited)


def _private_files(audited: Audited) -> Iterator[str]:
    competition = audited.competition
    private = {sha256(file): file.name for file in walk_files(competition.private_dir)}
    for file in walk_files(competition.public_dir):
        if file.stat().st_size and (name := private.get(sha256(file))):
            yield f"public/{file.relative_to(competition.public_dir)} is private/{name}"


def _answers_in_sample(audited: Audited) -> Iterator[str]:
    answers, sample = audited.answers, audited.sample
    for name in audited.targets:
        is_answer = name in answers.columns and answers[name].nunique() > 1
        if is_answer and len(sample) == len(answers) and list(sample[name]) == list(answers[name]):
            yield f"column {name!r} of the sample submission contains the answers"


def _shared_ids(audited: Audited) -> Iterator[str]:
    """Ids in a public training table and in the answers, unless test ids start again at 0."""
    id_name = audited.id_name
    if "renumbered" in audited.competition.definition.accepts:
        return
    for name in TRAIN_TABLES:
        train = audited.tables.get(name)
        if train is not None and id_name in train.columns:
            shared = set(train[id_name].dropna()) & set(audited.answers[id_name].dropna())
            if shared:
                example = sorted(map(str, shared))[0]
                yield f"{len(shared)} ids of public/{name} are in the answers, as {example!r}"


def _answers_in_tables(audited: Audited) -> Iterator[str]:
    """Tables of the test part that have a predicted column, with the right values."""
    answers, id_name = audited.answers, audited.id_name
    if answers[id_name].duplicated().any():
        return
    for path, table in audited.tables.items():
        if path in TRAIN_TABLES or id_name not in table.columns:
            continue
        for name in audited.targets:
            if name == id_name or name not in table.columns or name not in answers.columns:
                continue
            both = _by_id(table, id_name, name).merge(_by_id(answers, id_name, name), on=id_name)
            is_right = both[f"{name}_x"].astype(str) == both[f"{name}_y"].astype(str)
            if len(both) >= FEW_ROWS and both[f"{name}_y"].nunique() > 1 and is_right.all():
                yield f"column {name!r} of public/{path} contains the answers"


def _by_id(table: pd.DataFrame, id_name: str, column: str) -> pd.DataFrame:
    """Two columns, with ids as text: a table of some ids may have read them as another type."""
    return table[[id_name, column]].astype({id_name: str})
