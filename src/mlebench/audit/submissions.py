"""Checks of the grader: trivial files win nothing, malformed ones are refused, gold wins gold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.record import Observation
from mlebench.audit.variations import constant, empty_claims, malformed

if TYPE_CHECKING:
    import pandas as pd

GAPS = ("nan", "gaps_in_all_rows")
ROUNDING = 1.5e-5
"""Scores have five decimals; the order of rows may change the last one."""


def check_trivial_files(audited: Audited) -> Iterator[Observation]:
    """Files that need no model win no medal, malformed ones have no score, wrong claims cost."""
    yield from _accepted(audited)
    yield from _free_claims(audited)
    board = audited.board if audited.has_own_board else None
    for name, table in trivial_files(audited):
        score = audited.verdict_on(table).score
        if score is None:
            continue
        if not audited.is_better(audited.gold_verdict.score, score):
            text = f"{name}: scores {score:g}, as good as the gold submission"
            yield Observation("fail", text, score, audited.gold_verdict.score)
        elif board and (medal := board.thresholds.medal(score)):
            text = f"{name}: scores {score:g}, a {medal} medal"
            yield Observation("fail", text, score, board.thresholds.bronze)
        elif board and board.thresholds.is_above_median(score):
            text = f"{name}: scores {score:g}, above the median"
            yield Observation("warn", text, score, board.thresholds.median)
    if board is None:
        text = "medals: the board is that of the real data, or has another direction"
        yield Observation("not applicable", text)


def _accepted(audited: Audited) -> Iterator[Observation]:
    """Malformed variations of the gold submission that grading scores."""
    definition, refused = audited.competition.definition, 0
    is_published = bool(audited.competition.load_checksums())
    for kind, table in malformed(audited):
        accepted = "foreign_id" if kind == "surplus_row_of_a_foreign_id" else kind
        is_meant = accepted in definition.accepts and not is_published
        if is_meant or (kind in GAPS and _may_be_empty(audited)):
            continue
        if audited.verdict_on(table).score is None:
            refused += 1
        else:
            yield Observation("fail", f"a file with {kind.replace('_', ' ')} is graded")
    if audited.gold_verdict.score is not None:
        yield Observation("pass", f"{refused} malformed files are refused", refused)


def _may_be_empty(audited: Audited) -> bool:
    """Whether an empty cell is a prediction: of no object, or of an empty text."""
    target = audited.targets[-1]
    tables = (audited.sample, audited.good)
    is_kept = "nan" in audited.competition.definition.accepts and audited.competition.changes
    return bool(is_kept) or any(table[target].isna().any() for table in tables)


def _free_claims(audited: Audited) -> Iterator[Observation]:
    gold = audited.verdict_on(audited.good).score
    for name, table in empty_claims(audited):
        score = audited.verdict_on(table).score
        if gold is not None and score is not None and not audited.is_better(gold, score):
            text = f"the gold submission with {name}: scores {score:g}, as without them"
            yield Observation("fail", text, score, gold)


def trivial_files(audited: Audited) -> Iterator[tuple[str, pd.DataFrame]]:
    """Submissions made of the sample and of training labels alone, except for the last one."""
    import pandas as pd

    sample, targets = audited.sample, audited.targets
    yield "sample submission", sample
    for value in (0, 1):
        yield f"all {value}", sample.assign(**dict.fromkeys(targets, value))
    yield "blank", sample.assign(**dict.fromkeys(targets, None))
    first = {name: [sample[name].iloc[0]] * len(sample) for name in targets}
    yield "first row repeated", sample.assign(**first)
    for table in audited.train_tables.values():
        if all(name in table.columns for name in targets):
            numbers = all(table[name].dtype.kind in "iufb" for name in targets)
            for kind in ("mean", "median") if numbers else ():
                values = {name: getattr(table[name], kind)() for name in targets}
                yield f"training {kind}", sample.assign(**values)
            common = {name: table[name].mode().iloc[0] for name in targets if table[name].count()}
            yield "most frequent training label", sample.assign(**common)
            yield from _group_means(audited, table)
        elif len(targets) > 1:
            shares = _class_shares(table, targets)
            if shares is not None:
                yield "class shares of the training part", sample.assign(**shares)
    if len(pd.unique(audited.good[targets[0]])) > 1:
        yield "one constant prediction", constant(audited)


def _class_shares(table: pd.DataFrame, targets: list[str]) -> dict[str, float] | None:
    """The share of each class, if one column of the training table contains the class names."""
    for column in table.columns:
        values = table[column].dropna().astype(str)
        if len(values) and set(values.unique()) <= set(targets) and values.nunique() > 1:
            shares = values.value_counts(normalize=True)
            return {name: float(shares.get(name, 0.0)) for name in targets}
    return None


def _group_means(audited: Audited, train: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The mean training label of each value of a column that both parts have."""
    target = audited.targets[0]
    if train[target].dtype.kind not in "iufb":
        return
    for test in audited.test_tables.values():
        for column in test.columns:
            is_group = column in train.columns and 2 <= train[column].nunique() <= len(train) // 5
            if is_group and column not in (audited.id_name, *audited.targets):
                means = train.groupby(column)[target].mean()
                values = test[column].map(means).fillna(train[target].mean())
                ids = audited.sample[audited.id_name].astype(str)
                found = values.reindex(ids).fillna(train[target].mean()).to_numpy()
                yield f"mean label by {column!r}", audited.sample.assign(**{target: found})


def check_oracle(audited: Audited) -> Iterator[Observation]:
    """The gold submission wins gold, and the order of its rows does not matter."""
    score, board = audited.gold_verdict.score, audited.board
    if score is None:
        # The reason may quote an answer.
        yield Observation("fail", "the gold submission is refused")
        return
    if board and board.thresholds.medal(score) != "gold":
        text = f"the gold submission scores {score:g} and wins no gold medal"
        yield Observation("fail", text, score, board.thresholds.gold)
    plain = audited.verdict_on(audited.good).score
    mixed = audited.verdict_on(_reordered(audited.good, audited.targets)).score
    if mixed is None and plain is not None:
        yield Observation("fail", "gold with its rows in another order is refused", None, plain)
    elif plain is not None and mixed is not None and abs(plain - mixed) > ROUNDING * max(1, plain):
        text = f"gold with its rows in another order scores {mixed:g} instead of {plain:g}"
        yield Observation("fail", text, mixed, plain)
    yield Observation("pass", f"the gold submission scores {score:g}", score)


def _reordered(table: pd.DataFrame, targets: list[str]) -> pd.DataFrame:
    """The rows in a random order; rows with equal keys stay in the same order."""
    keys = [name for name in table.columns if name not in targets]
    codes = table.groupby(keys, sort=False, dropna=False).ngroup().to_numpy()
    mixed = np.random.default_rng(0).permutation(len(table))
    # The k-th place of a key in the random order is for its k-th row.
    mixed[np.argsort(codes[mixed], kind="stable")] = np.argsort(codes, kind="stable")
    return table.iloc[mixed]
