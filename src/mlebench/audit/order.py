"""Check that no public order tells a label: rows, ids, files, archives, and a known random seed.

The published splits draw with fixed seeds from a list in a known order. Where test items are listed
as the split returned them, anyone can restore that list, and if it is sorted by class, the labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.archives.raw import RawFolder
from mlebench.audit.audited import Audited, PublicFile
from mlebench.audit.record import Observation
from mlebench.audit.statistics import Dependence, natural_key, separation
from mlebench.checking.leaks import DEVIATIONS, FEW_ROWS, Neighbours

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

SEEDS = range(101)
"""Includes 0, 8 and 42, which the published splits use."""

MOST_ROWS, MOST_RESTORED, FEW_OTHERS = 20_000, 2_000, 10
LARGEST_SOURCE = 2_000_000
SEPARATED = 0.95
CLASS_SHARE, REPEATED_SHARE = 0.5, 0.9
CHANCE = 1e-9
"""Of a look-up; about as rare as six standard deviations."""


def check_order(audited: Audited) -> Iterator[Observation]:
    """Labels do not follow a public order, and not the order that a known seed restores."""
    if "ordered" in audited.competition.definition.accepts:
        yield Observation("not applicable", "rows are steps of a series")
        return
    labels = {name: _one_per_item(found) for name, found in audited.labels.items()}
    labels = {name: found for name, found in labels.items() if _can_be_followed(found)}
    if not labels:
        yield Observation("not applicable", f"no answer has {FEW_ROWS} rows and repeated values")
        return
    orders = {tuple(ids): name for name, ids in reversed([*public_orders(audited)])}
    known = {name: np.array(ids) for ids, name in orders.items()}
    for target, found in labels.items():
        yield from _orders_that_tell(known, target, found)
    yield from _restored_orders(audited, known, labels)
    yield from _file_facts(audited)
    yield Observation("pass", f"{len(orders)} orders and {len(SEEDS)} seeds tell nothing")


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
        for name, key in {"members of archives": _place, "inodes": _inode}.items():
            places = {item: key(stream) for item, stream in items.items()}
            known = [item for item in named if places[item] is not None]
            if known:
                yield name, sorted(known, key=lambda item: places[item] or 0)


def _place(stream: PublicFile) -> int | None:
    return stream.place if stream.is_member else None


def _local(stream: PublicFile) -> Path | None:
    return stream.raw.local if isinstance(stream.raw, RawFolder) else None


def _inode(stream: PublicFile) -> int | None:
    local = _local(stream)
    return None if local is None else local.stat().st_ino


def _orders_that_tell(
    orders: dict[str, NDArray[Any]], target: str, labels: pd.Series
) -> Iterator[Observation]:
    for name, ids in orders.items():
        values = labels.reindex(ids).dropna().to_numpy()[:MOST_ROWS]
        if len(values) < FEW_ROWS:
            continue
        found = Dependence.of(np.arange(len(values)), values)
        deviation = Neighbours(values).deviation(np.arange(len(values)))
        if found.is_beyond_chance or deviation > DEVIATIONS:
            text = f"{name}: {target!r} follows it, neighbours are alike by {deviation:.1f} sigma"
            yield Observation("fail", text, round(found.information, 4), round(found.level, 4))


def _restored_orders(
    audited: Audited, orders: dict[str, NDArray[Any]], labels: dict[str, pd.Series]
) -> Iterator[Observation]:
    """Orders of the source list, if test items are listed as `train_test_split` returns them."""
    tests = []
    for name, ids in orders.items():
        for target, found in labels.items():
            if name != "inodes" and len(ids) == len(found) and found.index.isin(ids).all():
                values = found.reindex(ids).to_numpy()
                tests.append((name, target, values, Neighbours(values[:MOST_RESTORED])))
    count = len(tests[0][2]) if tests else 0
    for size in source_sizes(audited, count) if tests else ():
        for seed in SEEDS:
            places = np.random.RandomState(seed).permutation(size)
            order = np.argsort(places[: min(count, MOST_RESTORED)])
            for name, target, values, likeness in tests:
                deviation = likeness.deviation(order)
                if deviation > DEVIATIONS or _is_looked_up(audited, target, values, places):
                    text = (
                        f"{name}: seed {seed} over {size:,} items restores a source order that"
                        f" {target!r} follows"
                    )
                    yield Observation("fail", text, round(deviation, 2), DEVIATIONS)
                    return


def source_sizes(audited: Audited, test: int) -> list[int]:
    """How many items the split source may have had: those of train and test together."""
    trains = {len(table) for table in audited.train_tables.values()}
    folders: dict[str, int] = {}
    for stream in audited.files:
        if audited.part_of(stream) == "train":
            folder = stream.path.rpartition("/")[0]
            folders[folder] = folders.get(folder, 0) + 1
    counts = [*folders.values()]
    trains |= {count for count in counts if count >= FEW_ROWS} | {sum(counts)}
    sizes = sorted({train + test for train in trains if train + test <= LARGEST_SOURCE})
    return sizes[:8]


def _is_looked_up(
    audited: Audited, target: str, values: NDArray[Any], places: NDArray[np.int64]
) -> bool:
    """Whether the next training label in the restored list is right more often than by chance.

    Training rows are assumed in the order of the split, or sorted as in the source.
    """
    count = min(len(values), MOST_RESTORED)
    for table in audited.train_tables.values():
        is_whole = target in table.columns and len(table) == len(places) - len(values)
        if not is_whole or table[target].nunique() > len(table) * CLASS_SHARE:
            continue
        known = table[target].to_numpy()
        drawn = places[len(values) :]
        for at in (drawn, np.sort(drawn)):
            order = np.argsort(at)
            nearest = np.searchsorted(at[order], places[:count]).clip(0, len(at) - 1)
            if _chance_of(known[order][nearest], values[:count]) < CHANCE:
                return True
    return False


def _chance_of(guesses: NDArray[Any], values: NDArray[Any]) -> float:
    """The probability of as many right guesses, if guesses and values are independent."""
    from scipy.stats import binom

    names, codes = np.unique(np.concatenate([guesses, values]).astype(str), return_inverse=True)
    guessed, true = codes[: len(guesses)], codes[len(guesses) :]
    one, other = (np.bincount(part, minlength=len(names)) / len(values) for part in (guessed, true))
    return float(binom.sf((guessed == true).sum() - 1, len(values), one @ other))


def _file_facts(audited: Audited) -> Iterator[Observation]:
    """Sizes and times of test files that separate the labels."""
    if len(audited.items) < FEW_ROWS:
        return
    facts: dict[str, dict[str, float]] = {"size": {}, "time": {}}
    for item, stream in audited.items.items():
        facts["size"][item] = stream.raw.size()
        if (local := _local(stream)) is not None:
            facts["time"][item] = local.stat().st_mtime
    for name, values in facts.items():
        for target, labels in audited.labels.items():
            known = labels[labels.index.isin(list(values))]
            if len(known) < FEW_ROWS:
                continue
            measured = np.array([values[str(item)] for item in known.index])
            found = separation(measured, known.to_numpy())
            if found > SEPARATED:
                text = f"{name} of test files separates {target!r}"
                yield Observation("fail", text, round(found, 4), SEPARATED)
            elif name == "time" and Dependence.of(measured, known.to_numpy()).is_beyond_chance:
                yield Observation("fail", f"time of test files depends on {target!r}")
