"""Checks that every prepared competition must pass, also those from outside the package.

Train and test share no id, no answer is in `public/`, the sample submission is accepted, the gold
submission scores best and wins gold, broken submissions are rejected with a reason.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.definition import Accepted
from mlebench.records.manifest import walk_files
from mlebench.system.files import sha256
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.catalogue import LocatedCompetition
    from mlebench.records.report import CompetitionReport


def check_competition(competition: LocatedCompetition) -> list[str]:
    """What is wrong with a prepared competition, one sentence each."""
    return [
        *check_submissions(competition),
        *check_no_answer_in_public(competition),
        *check_shared_ids(competition),
    ]


def check_submissions(competition: LocatedCompetition) -> Iterator[str]:
    """The sample is accepted, gold wins, broken submissions are rejected."""
    from mlebench.grading.grade import grade_file, validate

    sample = grade_file(competition.sample_submission, competition)
    gold = grade_file(competition.gold_submission, competition)
    if not sample.valid_submission and not _is_undefined(sample):
        yield f"the sample submission is rejected: {sample.reason}"
    if not gold.gold_medal:
        yield f"the gold submission scores {gold.score} ({gold.reason}) and wins no gold medal"
    elif sample.score is not None and gold.score is not None and _is_better(sample, gold):
        yield f"the sample submission scores {sample.score}, better than gold: {gold.score}"
    with tempfile.TemporaryDirectory() as folder:
        for kind, table in broken_submissions(competition):
            path = Path(folder) / f"{kind}.csv"
            write_table(table, path)
            if grade_file(path, competition).valid_submission:
                yield f"a submission with a {kind.replace('_', ' ')} is accepted"
            elif kind != "nan" and validate(path, competition) is None:
                yield f"validation accepts a submission with a {kind.replace('_', ' ')}"


def _is_undefined(report: CompetitionReport) -> bool:
    """A well-formed sample may have no score: a correlation with a constant, for example."""
    return "expected a finite number" in (report.reason or "")


def _is_better(one: CompetitionReport, other: CompetitionReport) -> bool:
    if one.score is None or other.score is None:
        return False
    return one.score < other.score if one.is_lower_better else one.score > other.score


def broken_submissions(competition: LocatedCompetition) -> Iterator[tuple[str, pd.DataFrame]]:
    """A good submission, broken in each way that the definition does not accept.

    It is the gold submission, or the sample if the answers serve as gold submission and name the
    predicted column differently.
    """
    good = read_table(competition.gold_submission)
    sample = read_table(competition.sample_submission)
    target = _targets(competition, sample)[-1]
    if target not in good.columns:
        good = sample
    yield "missing_column", good.drop(columns=target)
    id_name = competition.definition.submission.id or str(good.columns[0])
    for kind, table in _broken_rows(good, id_name, target):
        if kind not in competition.definition.accepts:
            yield kind, table


def _targets(competition: LocatedCompetition, sample: pd.DataFrame) -> list[str]:
    """The predicted columns, in the order in which the sample has them."""
    predicted = competition.definition.submission.targets
    return [str(name) for name in sample.columns if name in predicted]


def _broken_rows(
    gold: pd.DataFrame, id_name: str, target: str
) -> Iterator[tuple[Accepted, pd.DataFrame]]:
    yield "missing_row", gold.iloc[1:]
    if len(gold) > 1:
        yield "double_id", _with_first(gold, id_name, gold[id_name].iloc[-1])
    is_number = gold[id_name].dtype.kind in "iuf"
    foreign = gold[id_name].max() + 987_654_321 if is_number else "no-such-id"
    yield "foreign_id", _with_first(gold, id_name, foreign)
    yield "nan", _with_first(gold, target, None)


def _with_first(table: pd.DataFrame, column: str, value: object) -> pd.DataFrame:
    """The table with another value in the first row."""
    values = table[column].astype(object).to_list()
    return table.assign(**{column: [value, *values[1:]]})


def check_no_answer_in_public(competition: LocatedCompetition) -> Iterator[str]:
    """No private file is in `public/`, and the sample submission does not contain the answers."""
    prepared = competition.folder.prepared
    private = {sha256(file): file.name for file in walk_files(competition.private_dir)}
    for file in walk_files(competition.public_dir):
        if file.stat().st_size and (name := private.get(sha256(file))):
            yield f"public/{file.relative_to(competition.public_dir)} is private/{name}"
    if competition.answers.suffix == ".csv" and competition.sample_submission.is_file():
        answers, sample = read_table(competition.answers), read_table(competition.sample_submission)
        for name in _targets(competition, sample):
            is_answer = name in answers.columns and answers[name].nunique() > 1
            if (
                is_answer
                and len(sample) == len(answers)
                and list(sample[name]) == list(answers[name])
            ):
                yield f"column {name!r} of the sample submission contains the answers"
    if not prepared.is_dir():
        yield f"{competition.id} is not prepared"


def check_shared_ids(competition: LocatedCompetition) -> Iterator[str]:
    """No id is in a public training table and in the answers, unless test ids start again at 0."""
    id_name = competition.definition.submission.id
    if competition.answers.suffix != ".csv" or "renumbered" in competition.definition.accepts:
        return
    answers = read_table(competition.answers)
    for name in ("train.csv", "train_labels.csv", "labels.csv"):
        file = competition.public_dir / name
        if file.is_file() and id_name in answers.columns:
            train = read_table(file)
            if id_name in train.columns:
                shared = set(train[id_name].dropna()) & set(answers[id_name].dropna())
                if shared:
                    example = sorted(map(str, shared))[0]
                    yield f"{len(shared)} ids of public/{name} are in the answers, as {example!r}"
