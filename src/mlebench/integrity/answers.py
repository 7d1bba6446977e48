"""The task of a grader's child: compare a submission with answers; only figures leave it.

Nothing that it sends contains an answer: shares, correlations, and a sketch of the submission
itself, by which the submissions of runs are compared with each other.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import BenchError
from mlebench.grading.grade import judge, submission_limits
from mlebench.grading.reading import parse_submission
from mlebench.integrity.worker import find_competition
from mlebench.system.confinement import confine_child
from mlebench.system.fork_server import modules_since

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from mlebench.catalogue import LocatedCompetition

MEMORY_BYTES = 4 << 30
MAX_ROWS = 2_000_000
SKETCH = 1000
"""Cells of the submission that are compared between runs, chosen by the hash of their ids."""

MAX_EARLIER_BYTES = 4 << 20

MAX_PUBLIC = 500
MAX_PUBLIC_BYTES = 64 << 20
SHOWN_PUBLIC = 3
logger = logging.getLogger(__name__)


def compare(connection: socket.socket, facts: dict[str, Any]) -> None:
    """Send the figures as one line of JSON; an empty object if there is nothing to compare."""
    known = len(sys.modules)
    try:
        reply = _compare(facts)
    except Exception as error:  # a message may quote an answer
        logger.debug("comparing failed", exc_info=True)
        reply = {"error": type(error).__name__}
    reply["imports"] = modules_since(known)
    connection.sendall(json.dumps(reply, allow_nan=False).encode() + b"\n")


def _compare(facts: dict[str, Any]) -> dict[str, Any]:
    competition, path = find_competition(facts), Path(facts["submission"])
    if competition is None or not competition.answers.is_file():
        return {}
    places = [str(path.parent), str(competition.folder.path), *facts["competitions_dirs"]]
    if facts["public"]:
        places.append(facts["public"])
    seconds = int(facts["seconds"]) + 1
    confine_child(memory_bytes=MEMORY_BYTES, cpu_seconds=seconds, readable=places)
    texts, limits = competition.definition.texts, submission_limits(competition)
    table = parse_submission(path.read_bytes(), path.name, limits, texts=texts).table
    sample = _read(competition.sample_submission, texts)
    found: dict[str, Any] = {
        "rows": len(table),
        "distinct": _distinct(table),
        "sketch": _sketch(table, sample),
        "earlier": {name: _earlier(Path(name), sample, texts) for name in facts["earlier"]},
    }
    if sample is not None and len(table) <= MAX_ROWS:
        found["equal_to_sample"] = _equal_share(table, sample)
    if facts["public"]:
        found["public"] = _public(table, Path(facts["public"]), texts)
    gold_file = competition.gold_submission
    gold = _read(gold_file, texts)
    if gold is not None and len(gold) <= MAX_ROWS:
        found |= {
            "equal_to_answers": _equal_share(table, gold),
            "rank_correlation": _rank_correlation(table, gold),
            "separation": _separation(table, gold),
            "distinct_answers": _distinct(gold[[c for c in table.columns if c in gold]]),
            "best_score": judge(gold_file, competition).score,
            "sample_score": _sample_score(competition),
        }
    return found


def _sample_score(competition: LocatedCompetition) -> float | None:
    with suppress(BenchError):
        return judge(competition.sample_submission, competition).score
    return None


def _public(table: pd.DataFrame, folder: Path, texts: Sequence[str]) -> list[dict[str, Any]]:
    """The known public submissions that resemble this one most; unreadable files are skipped."""
    found = []
    for file in sorted(folder.rglob("*.csv"))[:MAX_PUBLIC]:
        if file.is_symlink() or file.stat().st_size > MAX_PUBLIC_BYTES:
            continue
        with suppress(BenchError, ValueError):
            other = _read(file, texts)
            if other is None:
                continue
            equal, rank = _equal_share(table, other), _rank_correlation(table, other)
            name = file.relative_to(folder).as_posix()
            found.append({"name": name, "equal": equal, "rank_correlation": rank})
    found.sort(key=lambda one: max(one["equal"] or 0, one["rank_correlation"] or 0), reverse=True)
    return found[:SHOWN_PUBLIC]


def _read(path: Path, texts: Sequence[str]) -> pd.DataFrame | None:
    if path.suffix != ".csv" or not path.is_file():
        return None
    return parse_submission(path.read_bytes(), path.name, texts=texts).table


def _aligned(table: pd.DataFrame, other: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """The columns after the id, with rows in the same order; None if the tables do not match."""
    key = table.columns[0]
    if not set(table.columns) <= set(other.columns) or len(table.columns) < 2:
        return None
    other = other[list(table.columns)]
    if not (table[key].is_unique and other[key].is_unique):
        return None
    ours, theirs = table.set_index(key), other.set_index(key)
    common = ours.index.intersection(theirs.index)
    if len(common) < 0.9 * len(theirs) or len(common) == 0:
        return None
    return ours.loc[common], theirs.loc[common]


def _equal_share(table: pd.DataFrame, other: pd.DataFrame) -> float | None:
    """The share of cells that are equal, numbers up to one part in 100,000."""
    import numpy as np

    if (pair := _aligned(table, other)) is None:
        return None
    equal = total = 0
    for name in pair[0].columns:
        ours, theirs = pair[0][name], pair[1][name]
        if ours.dtype.kind in "ifub" and theirs.dtype.kind in "ifub":
            left, right = ours.to_numpy(float), theirs.to_numpy(float)
            same = np.isclose(left, right, rtol=1e-5, atol=1e-9, equal_nan=True)
        else:
            same = ours.astype(str).to_numpy() == theirs.astype(str).to_numpy()
        equal, total = equal + int(same.sum()), total + len(same)
    return equal / total if total else None


def _rank_correlation(table: pd.DataFrame, other: pd.DataFrame) -> float | None:
    """The lowest rank correlation of the columns of numbers that have many values."""
    if (pair := _aligned(table, other)) is None:
        return None
    found = []
    for name in pair[0].columns:
        ours, theirs = pair[0][name], pair[1][name]
        if ours.dtype.kind in "if" and theirs.dtype.kind in "if" and theirs.nunique() >= 20:
            value = ours.corr(theirs, method="spearman")
            if value == value:
                found.append(float(value))
    return min(found, default=None)


def _separation(table: pd.DataFrame, other: pd.DataFrame) -> float | None:
    """The share of pairs of two classes that the submission ranks right; None for other answers."""
    if (pair := _aligned(table, other)) is None or len(pair[0].columns) != 1:
        return None
    name = pair[0].columns[0]
    ours, theirs = pair[0][name], pair[1][name]
    if ours.dtype.kind not in "if" or theirs.dtype.kind not in "ifb" or theirs.nunique() != 2:
        return None
    positive = theirs == theirs.max()
    count, rest = int(positive.sum()), int((~positive).sum())
    ranks = float(ours.rank()[positive].sum())
    return (ranks - count * (count + 1) / 2) / (count * rest)


def _distinct(table: pd.DataFrame) -> int:
    """Different values in the columns after the id."""
    return max((int(table[name].nunique()) for name in table.columns[1:]), default=0)


def _earlier(path: Path, sample: pd.DataFrame | None, texts: Sequence[str]) -> dict[str, Any]:
    """The sketch of a copy that was made while the agent ran; empty if it cannot be read."""
    with suppress(BenchError, ValueError, OSError):
        if path.stat().st_size <= MAX_EARLIER_BYTES:
            table = parse_submission(path.read_bytes(), path.name, texts=texts).table
            return _sketch(table, sample)
    return {}


def _sketch(table: pd.DataFrame, sample: pd.DataFrame | None = None) -> dict[str, Any]:
    """Some rows, chosen by the hash of their ids so that the order of a file does not matter."""
    key, *columns = table.columns
    if sample is not None and sample.columns[0] in columns:
        columns = [name for name in table.columns if name != sample.columns[0]]
        key = sample.columns[0]
    # Columns that equal those of the sample, such as the text of an item, say nothing.
    given = _chosen(sample, key, columns) if sample is not None else {}
    found = _chosen(table, key, columns)
    return {name: cells for name, cells in found.items() if cells != given.get(name)}


def _chosen(table: pd.DataFrame, key: str, columns: Sequence[str]) -> dict[str, list[Any]]:
    if key not in table:
        return {}
    rows = sorted(
        (hashlib.blake2b(str(cell).encode("utf-8", "replace"), digest_size=8).hexdigest(), place)
        for place, cell in enumerate(table[key].iloc[:200_000])
    )
    chosen = [place for _, place in rows[: max(1, SKETCH // max(1, len(columns)))]]
    names = sorted(name for name in columns if name in table)[:SKETCH]
    return {name: [_cell(value) for value in table[name].iloc[chosen]] for name in names}


def _cell(value: Any) -> float | str:
    """A number, or the hash of a text."""
    with suppress(TypeError, ValueError):
        number = float(value)
        if math.isfinite(number):
            return number
    return hashlib.blake2b(str(value).encode("utf-8", "replace"), digest_size=6).hexdigest()
