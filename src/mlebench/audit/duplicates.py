"""Check that test items have no duplicates in train: files, images, sound, rows, texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.duplicate_files import (
    MOST_COMPARED,
    MOST_EXACT,
    MOST_NEAR,
    compare_files,
    judge,
    limited,
)
from mlebench.audit.record import Observation

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

DISTINCT, SHORTEST_TEXT, FIRST_ROWS = 0.95, 40, 20_000
SIMILAR, HASHES, BANDS = 0.9, 64, 16
SHUFFLES, CHANCE_LEVEL = 10, 0.001
PRIME = (1 << 31) - 1


def check_duplicates(audited: Audited) -> Iterator[Observation]:
    """Test items have no exact and no near duplicate among the training items."""
    if not audited.has_own_board:
        yield Observation("not applicable", "the content of rehearsal data is synthetic")
        return
    found = [*compare_files(audited), *_duplicate_rows(audited)]
    for path in audited.unread:
        text = f"rows of {path} are not compared: the table is too large"
        found.append(Observation("warn", text))
    yield from found or [Observation("not applicable", "no files or rows to compare")]


def _duplicate_rows(audited: Audited) -> Iterator[Observation]:
    for path, test in audited.test_tables.items():
        for train in audited.train_tables.values():
            ignored = {audited.id_name, *audited.targets}
            columns = [c for c in test.columns if c in train.columns and c not in ignored]
            if not columns:
                continue
            texts = [c for c in columns if {train[c].dtype.kind, test[c].dtype.kind} - set("iufb")]
            known, sought = _row_hashes(train[columns], texts), _row_hashes(test[columns], texts)
            is_distinct = known.nunique() >= DISTINCT * len(known)
            if is_distinct or _length_of_rows(test[columns]) >= SHORTEST_TEXT:
                same = [str(name) for name in sought.index[sought.isin(known)]]
                if _is_chance(test[columns], texts, known, len(same)):
                    same = []
                yield judge(f"rows of {path} are equal to rows", same, len(sought), MOST_EXACT)
            for column in columns:
                yield from _similar_texts(column, train[column], test[column])


def _is_chance(test: pd.DataFrame, texts: list[str], known: pd.Series, same: int) -> bool:
    """Whether as many rows are equal if the columns of the test are shuffled, each by itself.

    A few columns with few values, such as age and sex, are equal in many pairs of rows.
    """
    from scipy.stats import poisson

    random, found = np.random.default_rng(0), 0
    for _ in range(SHUFFLES):
        mixed = test.apply(lambda column: column.to_numpy()[random.permutation(len(column))])
        found += int(_row_hashes(mixed, texts).isin(known).sum())
    return found > 0 and float(poisson.sf(same - 1, found / SHUFFLES)) > CHANCE_LEVEL


def _row_hashes(table: pd.DataFrame, texts: list[str]) -> pd.Series:
    """A hash of each row; columns that are not in `texts` are compared as numbers."""
    import pandas as pd

    words = table[texts].astype(object).fillna("").astype(str)
    numbers = table.drop(columns=texts).astype(float) + 0.0  # -0.0 is equal to 0.0
    return pd.util.hash_pandas_object(pd.concat([numbers, words], axis=1), index=False)


def _length_of_rows(table: pd.DataFrame) -> float:
    """The median number of characters in the first rows."""
    rows = table.head(FIRST_ROWS).astype(object).fillna("").astype(str)
    return float(rows.agg("\x1f".join, axis=1).str.len().median())


def _similar_texts(column: str, train: pd.Series, test: pd.Series) -> Iterator[Observation]:
    if test.dtype.kind in "iufb" or test.astype(str).str.len().median() < SHORTEST_TEXT:
        return
    parts = ([*part.dropna().astype(str).items()] for part in (train, test))
    few, sought, compared = limited(*parts)
    is_near = _similar_signatures(*(_signatures([text for _, text in p]) for p in (few, sought)))
    near = [str(sought[k][0]) for k in np.flatnonzero(is_near)]
    kind = f"texts of {column!r} are near duplicates of texts"
    yield judge(kind, near, len(sought), MOST_NEAR, compared)


def _similar_signatures(train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which test signatures agree with a training signature, among those with an equal band."""
    is_near = np.zeros(len(test), dtype=bool)
    for band in np.split(np.arange(HASHES), BANDS):
        places: dict[bytes, list[int]] = {}
        for k, values in enumerate(train[:, band]):
            places.setdefault(values.tobytes(), []).append(k)
        for k, values in enumerate(test[:, band]):
            others = places.get(values.tobytes(), [])[:MOST_COMPARED]
            if others and not is_near[k]:
                is_near[k] = (train[others] == test[k]).mean(axis=1).max() >= SIMILAR
    return is_near


def _signatures(texts: list[str]) -> NDArray[np.int64]:
    """Equal places of two signatures estimate the share of common sequences of five characters."""
    from zlib import crc32

    factors = np.random.default_rng(0).integers(1, PRIME, (2, HASHES))
    signatures = np.zeros((len(texts), HASHES), dtype=np.int64)
    for signature, text in zip(signatures, texts, strict=True):
        folded = " ".join(text.lower().split())
        pieces = {folded[k : k + 5].encode() for k in range(max(1, len(folded) - 4))}
        codes = np.array([crc32(piece) % PRIME for piece in pieces], dtype=np.int64)
        signature[:] = ((codes[:, None] * factors[0] + factors[1]) % PRIME).min(axis=0)
    return signatures
