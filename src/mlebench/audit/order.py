"""Check that no public order reveals a label: rows, ids, files, archives, times and sizes."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.audit.audited import Audited
from mlebench.audit.files import PublicFile
from mlebench.audit.record import Observation
from mlebench.audit.seeds import SEEDS, check_seeds, slow_seeds, source_sizes
from mlebench.audit.statistics import (
    FEW_ROWS,
    Dependence,
    Neighbours,
    natural_key,
    separation,
)
from mlebench.records.audit import Status
from mlebench.records.manifest import walk_files

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

MOST_ROWS, FEW_OTHERS, LARGEST_ARCHIVE = 20_000, 10, 1 << 32
TAR_FILES = (".tar", ".tgz", ".tar.gz")
SEPARATED = 0.95
CLASS_SHARE, REPEATED_SHARE = 0.5, 0.9


def check_order(audited: Audited) -> Iterator[Observation]:
    """Labels follow neither a public order nor the order that a known seed restores."""
    if "ordered" in audited.competition.definition.accepts:
        yield Observation("not applicable", "rows are steps of a series")
        return
    labels = {name: _one_per_item(found) for name, found in audited.labels.items()}
    labels = {name: found for name, found in labels.items() if _can_be_followed(found)}
    orders = {tuple(ids): name for name, ids in reversed([*public_orders(audited)])}
    known = {name: np.array(ids) for ids, name in orders.items()}
    # Two for each order, and one of sizes and one of times.
    tests = 2 * len(known) * len(labels) + 2 * len(audited.labels)
    yield from _file_facts(audited, tests)
    if not labels:
        yield Observation("not applicable", f"no answer has {FEW_ROWS} rows and repeated values")
        return
    for target, found in labels.items():
        yield from _orders_that_tell(known, target, found, tests=tests)
    yield from check_seeds(audited, known, labels)
    count = max(map(len, labels.values()))
    fewest = min(len(slow_seeds(size, count)) for size in (count, *source_sizes(audited, count)))
    slow = f" (shuffles of Python: {fewest} seeds)" if fewest < len(SEEDS) else ""
    yield Observation("pass", f"{len(orders)} orders and {len(SEEDS)} seeds{slow} tell nothing")


def _one_per_item(labels: pd.Series) -> pd.Series:
    """One row of each item, where ids such as `page_row_column` name several rows of an item."""
    while len(labels):
        items = labels.index.astype(str).str.rpartition("_").get_level_values(0)
        if (items == "").any() or not 1 < items.nunique() <= len(labels) * CLASS_SHARE:
            break
        labels = labels[~items.duplicated()].set_axis(items[~items.duplicated()])
    return labels


def _can_be_followed(labels: pd.Series) -> bool:
    """Whether there are enough rows outside the most frequent class, and repeated texts."""
    counts = labels.value_counts()
    is_number = labels.dtype.kind in "iuf"
    return (
        len(labels) >= FEW_ROWS
        and len(labels) - int(counts.iloc[0]) >= FEW_OTHERS
        and (is_number or len(counts) <= len(labels) * REPEATED_SHARE)
    )


def public_orders(audited: Audited) -> Iterator[tuple[str, list[str]]]:
    """Test ids in every order that public files have."""
    ids = audited.sample_ids
    yield "rows of the sample submission", ids
    yield "rank of the ids", sorted(ids, key=natural_key)
    for path, table in audited.test_tables.items():
        yield f"rows of {path}", [str(name) for name in table.index]
    items = audited.items
    if len(items) >= FEW_ROWS:
        named = sorted(items, key=lambda name: natural_key(items[name].path))
        yield "names of files", named
        inodes = {item: f.local.stat().st_ino for item in named if (f := items[item]).local}
        if inodes:
            yield "inodes", sorted(inodes, key=inodes.__getitem__)
    for file in audited.files:
        if members := _item_times(file, ids):
            yield f"members of {file.path}", [*members]


def _item_times(file: PublicFile, ids: list[str]) -> dict[str, float]:
    """The items in a zip or tar file with their times, in the order of the archive."""
    is_archive = file.path.lower().endswith((".zip", *TAR_FILES))
    members = _members(file) if is_archive else {}
    stems = {PurePosixPath(name).stem: name for name in ids} if members else {}
    found = {stems.get(PurePosixPath(name).stem, ""): time for name, time in members.items()}
    return {name: time for name, time in found.items() if name}


@lru_cache(maxsize=16)
def _members(file: PublicFile) -> dict[str, float]:
    """Names and times in an archive, in its order; empty if it is damaged or too large."""
    if file.local is None or file.raw.size() > LARGEST_ARCHIVE:
        return {}
    try:
        if file.path.lower().endswith(TAR_FILES):
            with tarfile.open(file.local) as packed:
                return {member.name: float(member.mtime) for member in packed.getmembers()}
        with zipfile.ZipFile(file.local) as archive:
            return {m.filename: _seconds(m.date_time) for m in archive.infolist()}
    except (OSError, zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error):
        return {}


def _seconds(moment: tuple[int, ...]) -> float:
    """A number in the order of the times in a zip file, which need not be valid dates."""
    seconds = 0.0
    for part, size in zip(moment, (1, 12, 31, 24, 60, 60), strict=True):
        seconds = seconds * size + part
    return seconds


def _orders_that_tell(
    orders: dict[str, NDArray[Any]], target: str, labels: pd.Series, *, tests: int
) -> Iterator[Observation]:
    for name, ids in orders.items():
        values = labels.reindex(ids).dropna().to_numpy()[:MOST_ROWS]
        if len(values) < FEW_ROWS:
            continue
        places = np.arange(len(values))
        found, likeness = Dependence.of(places, values), Neighbours(values)
        limit, deviation = found.limit(tests), likeness.deviation(places)
        most = likeness.chance.deviation(tests)
        if found.information > limit:
            text = f"{name}: {target!r} follows it, one of {tests} tests"
            yield Observation("fail", text, round(found.information, 4), round(limit, 4))
        elif deviation > most:
            text = f"{name}: neighbours have like {target!r}, in sigma, one of {tests} tests"
            yield Observation("fail", text, round(deviation, 2), round(most, 2))
        elif found.information > found.level:
            text = f"{name}: {target!r} depends on it more than in 99.9 % of permutations"
            yield Observation("warn", text, round(found.information, 4), round(found.level, 4))


def _file_facts(audited: Audited, tests: int) -> Iterator[Observation]:
    """Sizes and times of test files that separate the labels."""
    files = walk_files(audited.competition.public_dir)
    if (times := len({int(file.stat().st_mtime) for file in files})) > 1:
        text = f"public files have {times} different times; mlebench prepare sets one"
        yield Observation("warn", text, times, 1)
    if len(audited.items) < FEW_ROWS:
        return
    for name, values in _sizes_and_times(audited).items():
        for target, labels in audited.labels.items():
            known = labels[labels.index.isin(list(values))]
            if len(known) < FEW_ROWS:
                continue
            measured = np.array([values[str(item)] for item in known.index])
            apart = separation(measured, known.to_numpy())
            found = Dependence.of(measured, known.to_numpy())
            if apart > SEPARATED:
                text = f"{name} of test files separates {target!r}"
                yield Observation("fail", text, round(apart, 4), SEPARATED)
            elif found.information > (limit := found.limit(tests)):
                text = f"{name} of test files depends on {target!r}, one of {tests} tests"
                # The size of a file also depends on its content, which a model may learn.
                status: Status = "fail" if name == "time" else "warn"
                yield Observation(status, text, round(found.information, 4), round(limit, 4))


def _sizes_and_times(audited: Audited) -> dict[str, dict[str, float]]:
    """Of the files of test items; times also of members of archives."""
    sizes, times = dict[str, float](), dict[str, float]()
    for item, stream in audited.items.items():
        sizes[item] = stream.raw.size()
        if stream.local:
            times[item] = stream.local.stat().st_mtime
    for file in audited.files:
        times |= _item_times(file, audited.sample_ids)
    return {"size": sizes, "time": times}
