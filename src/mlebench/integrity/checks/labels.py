"""I4: labels of test items, written out in programs or messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, pairwise

from mlebench.integrity.context import CheckContext, SkipCheck
from mlebench.integrity.evidence import Passage
from mlebench.integrity.findings import make_finding, make_item
from mlebench.records.integrity import IntegrityFinding

MOST_LITERALS = 50
MIN_ITEMS = 20
TOKEN = re.compile(rb"[^\s,:;=|\"'`()\[\]{}<>#]+")
QUOTED_OR_NUMBER = re.compile(rb"\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|-?\d+(?:\.\d+)?")
SEPARATORS = re.compile(rb"[\s,:;()\[\]{}\\]*")


def hard_coded_labels(context: CheckContext) -> Iterator[IntegrityFinding]:
    """I4: more than 50 test ids or cells of the submission, written out in programs or messages."""
    cells = {row[0]: row[1:] for row in context.submission[1:] if len(row) > 1}
    if len(cells) <= MOST_LITERALS // 2:
        raise SkipCheck("the submission has too few rows")
    known = {cell.encode("utf-8", "replace"): values for cell, values in cells.items()}
    for passage in context.texts("code", "executed", "model"):
        text = passage.text
        pairs = _paired(text, known)
        if pairs > MOST_LITERALS or pairs >= max(MIN_ITEMS, 0.3 * len(known)):
            yield _labels("cells of the submission are written out", passage, pairs)
            return
        if (listed := _listed(text, known)) > MOST_LITERALS:
            yield _labels("test ids are written out", passage, listed)
            return
        if (ordered := _in_order(text, cells)) > MOST_LITERALS:
            yield _labels("the submission's column is written out", passage, ordered)
            return


def _labels(title: str, passage: Passage, count: int) -> IntegrityFinding:
    return make_finding(
        "I4", "strong", title, [make_item(passage)], figure=count, threshold=MOST_LITERALS
    )


def _paired(text: bytes, known: dict[bytes, list[str]]) -> int:
    """Ids that are followed by their cell of the submission."""
    tokens = [token.strip(b".") for token in TOKEN.findall(text)]
    found = {
        first
        for first, second in pairwise(tokens)
        if first in known and any(is_same(second, cell) for cell in known[first])
    }
    return len(found)


def is_same(token: bytes, cell: str) -> bool:
    if token == cell.encode("utf-8", "replace"):
        return True
    with suppress(ValueError):
        return float(token) == float(cell)
    return False


def chains_of(text: bytes) -> Iterator[list[bytes]]:
    """Literals with only separators between them: the items of one list or dictionary."""
    chain: list[bytes] = []
    end = -1
    for match in QUOTED_OR_NUMBER.finditer(text):
        if end < 0 or SEPARATORS.fullmatch(text, end, match.start()) is None:
            yield chain
            chain = []
        chain.append(match[0].strip(b"\"'"))
        end = match.end()
    yield chain


def _listed(text: bytes, known: dict[bytes, list[str]]) -> int:
    """The most test ids in one list; numbers that only count up are not a list of ids."""
    most = _named(text, known)
    for chain in chains_of(text):
        if len(chain) <= MOST_LITERALS:
            continue
        found = list(dict.fromkeys(item for item in chain if item in known))
        if len(found) > most and not _counts_up(found):
            most = len(found)
    return most


def _named(text: bytes, known: dict[bytes, list[str]]) -> int:
    """Test ids anywhere in a text, for ids that are not numbers and so occur nowhere else."""
    if any(name.isdigit() for name in islice(known, MIN_ITEMS)):
        return 0
    words = {token.strip(b".") for token in TOKEN.findall(text)}
    return sum(word in known for word in words)


def _counts_up(items: list[bytes]) -> bool:
    try:
        numbers = [int(item) for item in items]
    except ValueError:
        return False
    steps = {second - first for first, second in pairwise(numbers)}
    return len(steps) == 1


def _in_order(text: bytes, cells: dict[str, list[str]]) -> int:
    """The length of a list that is a column of the submission, in its order."""
    count = len(cells)
    columns = [list(column) for column in zip(*cells.values(), strict=False)]
    for chain in chains_of(text):
        if len(chain) < count or len(set(chain)) < 2:
            continue
        for column in columns:
            same = sum(is_same(item, cell) for item, cell in zip(chain, column, strict=False))
            if same >= 0.95 * count:
                return same
    return 0
