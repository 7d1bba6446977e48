"""Probes of a data set's rows: their order (exchangeability), the next row, a missing value.

Columns that earlier rows predict are not evidence. Order is tested without them, and the chance
of an exact row is that of its least predictable column.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from mlebench.contamination.generation import Generator
from mlebench.contamination.inference import at_least_by_chance, sharded_t
from mlebench.contamination.scoring import EchoScorer, Scorer
from mlebench.contamination.subjects import Subject, TableSample
from mlebench.records.contamination import ProbeResult

SHARDS, ROWS_PER_SHARD, ORDERS = 10, 8, 5
"""Fifty random orders in all, as in the method that the probe follows."""

QUESTIONS = 25
ROWS_SHOWN = 6
MOST_CHANCE = 0.3
"""A column that is guessed more often than this is not evidence."""

SIGMAS = 4.0

NEXT_ROW = """These are consecutive rows of the file {file} of the Kaggle competition "{title}".
Write the next row of the file exactly, and nothing else.

{rows}"""
NEXT_VALUE = """This is the beginning of a row of the file {file} of the Kaggle competition
"{title}". Its columns are: {header}
Write the value of the column {column} in this row, and nothing else.

{row},"""


def order_probe(subject: Subject, table: TableSample, scorer: Scorer) -> ProbeResult | str:
    """Log probability of rows in their published order against random orders of the same rows."""
    if not isinstance(scorer, EchoScorer):
        return "needs log probabilities of whole texts: --method echo"
    columns = [k for k in range(len(table.header)) if not depends_on_order(table.column(k))]
    if not columns:
        return "every column depends on the order of the rows"
    rows = [_line([row[k] for k in columns]) for row in table.rows[: SHARDS * ROWS_PER_SHARD]]
    shards = [rows[k : k + ROWS_PER_SHARD] for k in range(0, len(rows), ROWS_PER_SHARD)]
    shards = [shard for shard in shards if len(set(shard)) >= ROWS_PER_SHARD // 2]
    if len(shards) < SHARDS // 2:
        return "too few different rows remain without the columns that depend on the order"
    generator = np.random.default_rng(0)
    head = _line([table.header[k] for k in columns])
    orders = [[s, *(list(generator.permutation(s)) for _ in range(ORDERS))] for s in shards]
    texts = [["\n".join([head, *order]) + "\n" for order in own] for own in orders]
    scorer.prefetch([text for own in texts for text in own])
    scores = [[float(scorer.score(text).logp.sum()) for text in own] for own in texts]
    differences = [first - fmean(others) for first, *others in scores]
    return ProbeResult(
        probe="order",
        competition_id=subject.id,
        statistic="log probability of the published row order minus random orders, per shard",
        value=round(fmean(differences), 6),
        chance=0.0,
        n=len(shards),
        p=sharded_t(differences),
        note=f"{len(columns)} of {len(table.header)} columns do not depend on the order",
    )


def row_probe(subject: Subject, table: TableSample, generator: Generator) -> ProbeResult | str:
    """Exact next rows, given the rows before."""
    column, chance = hardest_column(table)
    if chance > MOST_CHANCE:
        return f"every column is guessed from the rows before in {chance:.0%} of the rows or more"
    places = _places(len(table.rows))
    prompts = []
    for place in places:
        shown = [table.header, *table.rows[place - ROWS_SHOWN : place]]
        rows = "\n".join(map(_line, shown))
        prompts.append(NEXT_ROW.format(file=table.name, title=subject.title, rows=rows))
    answers = generator.ask(prompts, max_tokens=_tokens(table))
    hits = sum(
        table.rows[place] in _rows_in(answer) for place, answer in zip(places, answers, strict=True)
    )
    return ProbeResult(
        probe="rows",
        competition_id=subject.id,
        statistic="exact next rows",
        value=round(hits / len(places), 6),
        chance=round(chance, 6),
        n=len(places),
        p=at_least_by_chance(hits, len(places), chance),
        note=f"chance of the column {table.header[column]}",
    )


def value_probe(subject: Subject, table: TableSample, generator: Generator) -> ProbeResult | str:
    """Exact values of the least predictable column, given the columns before it."""
    column, chance = hardest_column(table, first=1)
    if chance > MOST_CHANCE:
        return "no column after the first is hard to guess"
    if _follows_from_others(table, column):
        return f"the column {table.header[column]} follows from the columns before it"
    places = _places(len(table.rows))
    prompts = [
        NEXT_VALUE.format(
            file=table.name,
            title=subject.title,
            header=_line(table.header),
            column=table.header[column],
            row=_line(table.rows[place][:column]),
        )
        for place in places
    ]
    answers = generator.ask(prompts, max_tokens=_tokens(table))
    hits = sum(
        table.rows[place][column] == _first_value(answer)
        for place, answer in zip(places, answers, strict=True)
    )
    return ProbeResult(
        probe="values",
        competition_id=subject.id,
        statistic=f"exact values of {table.header[column]}",
        value=round(hits / len(places), 6),
        chance=round(chance, 6),
        n=len(places),
        p=at_least_by_chance(hits, len(places), chance),
    )


def hardest_column(table: TableSample, first: int = 0) -> tuple[int, float]:
    """The column that simple guesses hit least often, and how often they do."""
    found = [(guess_rate(table.column(k)), k) for k in range(first, len(table.header))]
    rate, column = min(found, default=(1.0, 0))
    return column, rate


def guess_rate(values: Sequence[str]) -> float:
    """The best of three guesses: the most frequent value, the one before, the usual step."""
    n = len(values)
    frequent = Counter(values).most_common(1)[0][1]
    equal = sum(a == b for a, b in pairwise(values))
    numbers = _numbers(values)
    step = 0
    if numbers is not None and n > 1:
        step = Counter(np.round(np.diff(numbers), 9).tolist()).most_common(1)[0][1]
    return (max(frequent, equal, step) + 1) / (n + 1)


def depends_on_order(values: Sequence[str]) -> bool:
    """Whether a value says something about the next one, or about its position.

    Three statistics have a known distribution if the order is random: the correlation of ranks
    with their positions, that with the next ranks, and the number of equal neighbours.
    """
    numbers = _numbers(values)
    column = np.asarray(values) if numbers is None else numbers
    _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
    n = len(codes)
    if len(counts) < 2:
        return True
    places = np.arange(n)
    ordered = [_correlation(codes, places), _correlation(codes[:-1], codes[1:])]
    share = float(((counts / n) ** 2).sum())
    equal = int((codes[:-1] == codes[1:]).sum())
    excess = (equal - share * (n - 1)) / np.sqrt((n - 1) * share * (1 - share))
    return bool(max(abs(r) * np.sqrt(n) for r in ordered) > SIGMAS or excess > SIGMAS)


def _correlation(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    if not one.std() or not other.std():
        return 0.0
    return float(np.corrcoef(one, other)[0, 1])


def _follows_from_others(table: TableSample, column: int) -> bool:
    """Whether the value is copied from, or linear in, the columns before it."""
    copied = fmean(row[column] in row[:column] for row in table.rows)
    known = [n for k in range(column) if (n := _numbers(table.column(k))) is not None]
    target = _numbers(table.column(column))
    if target is None or not known or not target.std():
        return copied > MOST_CHANCE
    inputs = np.column_stack([*known, np.ones(len(target))])
    rest = target - inputs @ np.linalg.lstsq(inputs, target, rcond=None)[0]
    return copied > MOST_CHANCE or float(rest.var()) < 0.001 * float(target.var())


def _numbers(values: Sequence[str]) -> NDArray[np.float64] | None:
    try:
        found = np.array([float(value or "nan") for value in values])
    except ValueError:
        return None
    return None if np.isnan(found).mean() > 0.5 else np.nan_to_num(found)


def _places(rows: int) -> list[int]:
    """Rows to ask for: the first possible ones, where memory is best, and some all over."""
    early = range(ROWS_SHOWN, min(rows, ROWS_SHOWN + QUESTIONS // 2))
    spread = np.linspace(ROWS_SHOWN, rows - 1, QUESTIONS).astype(int).tolist()
    return sorted({*early, *spread})[:QUESTIONS]


def _tokens(table: TableSample) -> int:
    return 32 + max(len(_line(row)) for row in table.rows)


def _line(cells: Sequence[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="").writerow(cells)
    return stream.getvalue()


def _rows_in(answer: str) -> Iterator[tuple[str, ...]]:
    """The rows of an answer; models add fences and a sentence before or after."""
    for line in answer.splitlines()[:20]:
        try:
            yield from (tuple(row) for row in csv.reader([line.strip().strip("`")]))
        except csv.Error:
            continue


def _first_value(answer: str) -> str:
    lines = [line.strip().strip("`") for line in answer.splitlines()]
    return next((line for line in lines if line), "").strip("\"'").rstrip(",")
