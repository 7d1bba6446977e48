"""Check that no known random seed restores an order that tells labels, or the labels themselves.

The published splits draw with fixed seeds from a list in a known order. Where test items are listed
as the split returned them, anyone can restore that list, and if it is sorted by class, the labels.
Labels that were drawn themselves follow from the seed alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy

from mlebench.audit.audited import Audited
from mlebench.audit.record import Observation
from mlebench.audit.statistics import FEW_ROWS, LEVEL, Neighbours, chance_of_matches

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from mlebench.audit.files import PublicFile

SEEDS = range(101)
"""Includes 0, 8 and 42, which the published splits use."""

USUAL_SEEDS = (0, 1, 8, 42)
LARGEST_SOURCE, LARGE_LIST = 2_000_000, 50_000
MOST_SIZES, MOST_RESTORED, MOST_DRAWN, MOST_CLASSES = 16, 2_000, 200, 16
CLASS_SHARE = 0.5


@dataclass(frozen=True)
class _Listed:
    """The labels of a target in a public order of all its items."""

    order: str
    target: str
    values: NDArray[Any]
    likeness: Neighbours


def check_seeds(
    audited: Audited, orders: dict[str, NDArray[Any]], labels: dict[str, pd.Series]
) -> Iterator[Observation]:
    """At most one observation of each kind: one seed is enough."""
    listed = []
    for name, ids in orders.items():
        for target, found in labels.items():
            if name != "inodes" and len(ids) == len(found) and found.index.isin(ids).all():
                values = found.reindex(ids).to_numpy()
                likeness = Neighbours(values[:MOST_RESTORED])
                listed.append(_Listed(name, target, values, likeness))
    if listed:
        yield from _first(_restored_orders(audited, listed))
        yield from _first(_drawn_labels(listed))


def _first(found: Iterator[Observation]) -> Iterator[Observation]:
    yield from [*filter(None, [next(found, None)])]


def _restored_orders(audited: Audited, listed: list[_Listed]) -> Iterator[Observation]:
    """Orders of the source list, if items are listed as a split or a shuffle returns them."""
    count = len(listed[0].values)
    sizes = [count, *source_sizes(audited, count)]
    # Neighbours are compared, and labels are looked up in two ways.
    tests = 3 * len(listed) * (len(sizes) * len(SEEDS) + len(_seeds_for(count)))
    most = [one.likeness.chance.deviation(tests) for one in listed]
    for how, places in _source_places(sizes, count):
        order = np.argsort(places[: min(count, MOST_RESTORED)])
        for one, limit in zip(listed, most, strict=True):
            deviation = one.likeness.deviation(order)
            chance = LEVEL / tests
            if deviation > limit or _is_looked_up(audited, one, places, chance=chance):
                text = f"{one.order}: {how} restores a source order that {one.target!r} follows"
                yield Observation(
                    "fail", f"{text}, one of {tests:,} tests", round(deviation, 2), round(limit, 2)
                )


def _seeds_for(count: int) -> Sequence[int]:
    """Of generators that draw in Python, which takes long for many items."""
    return SEEDS if count <= LARGE_LIST else USUAL_SEEDS


def _source_places(sizes: list[int], count: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Places in the source of the items of the test, then of train, for every usual generator."""
    for size in sizes:
        for seed in SEEDS:
            places = np.random.RandomState(seed).permutation(size)
            yield f"seed {seed} over {size:,} items", places
    for seed in _seeds_for(count):
        listed = list(range(count))
        random.Random(seed).shuffle(listed)
        yield f"a shuffle with seed {seed} of {count:,} items", np.array(listed)


def source_sizes(audited: Audited, test: int) -> list[int]:
    """How many items the split source may have had: those of train and test together."""
    trains = {len(table) for table in audited.train_tables.values()}
    trains |= {rows for rows in map(_array_rows, _train_arrays(audited)) if rows}
    folders: dict[str, int] = {}
    for stream in audited.files:
        if audited.part_of(stream) == "train":
            folder = stream.path.rpartition("/")[0]
            folders[folder] = folders.get(folder, 0) + 1
    counts = [*folders.values()]
    trains |= {count for count in counts if count >= FEW_ROWS} | {sum(counts)}
    sizes = sorted({train + test for train in trains if train + test <= LARGEST_SOURCE})
    return sizes[-MOST_SIZES:]


def _train_arrays(audited: Audited) -> list[PublicFile]:
    """Arrays of the train part, unless there is one for each item."""
    found = [f for f in audited.files if f.path.endswith(".npy") and audited.part_of(f) == "train"]
    return found if len(found) < FEW_ROWS else []


def _array_rows(file: PublicFile) -> int:
    """The length of an array, from the header of its file; 0 if that is damaged."""
    with file.raw.open() as stream:
        try:
            version = npy.read_magic(stream)
            read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            return int(read(stream)[0][0])
        except (ValueError, IndexError, OSError):
            return 0


def _is_looked_up(
    audited: Audited, one: _Listed, places: NDArray[np.int64], *, chance: float
) -> bool:
    """Whether the next training label in the restored list is right more often than by chance.

    Training rows are assumed in the order of the split, or sorted as in the source.
    """
    target, values = one.target, one.values
    count = min(len(values), MOST_RESTORED)
    for table in audited.train_tables.values():
        is_whole = target in table.columns and 0 < len(table) == len(places) - len(values)
        if not is_whole or table[target].nunique() > len(table) * CLASS_SHARE:
            continue
        known = table[target].to_numpy()
        drawn = places[len(values) :]
        for at in (drawn, np.sort(drawn)):
            order = np.argsort(at)
            nearest = np.searchsorted(at[order], places[:count]).clip(0, len(at) - 1)
            if chance_of_matches(known[order][nearest], values[:count]) < chance:
                return True
    return False


def _drawn_labels(listed: list[_Listed]) -> Iterator[Observation]:
    """Labels that are the draws of a generator, one for each item of a public order."""
    for one in listed:
        names, codes = np.unique(one.values.astype(str), return_inverse=True)
        if len(names) > MOST_CLASSES:
            continue
        seeds, drawn = _all_draws(len(codes), len(names))
        shown = codes[: drawn.shape[1]]
        # Which class a number means is not known.
        right = np.maximum((drawn == shown).sum(1), (len(names) - 1 - drawn == shown).sum(1))
        best = int(right.argmax())
        is_same = (drawn[best] == shown).sum() == right[best]
        guesses = drawn[best] if is_same else len(names) - 1 - drawn[best]
        if chance_of_matches(guesses, shown) < LEVEL / (2 * len(seeds) * len(listed)):
            text = f"{one.order}: {one.target!r} is as a generator with seed {seeds[best]} draws"
            yield Observation("fail", text)


@cache
def _all_draws(count: int, classes: int) -> tuple[list[int], NDArray[np.int64]]:
    """The draws of every seed and generator, a row for each."""
    found = [(seed, drawn) for seed in _seeds_for(count) for drawn in draws(seed, count, classes)]
    return [seed for seed, _ in found], np.array([drawn for _, drawn in found])


def draws(seed: int, count: int, classes: int) -> Iterator[NDArray[np.int64]]:
    """The first class numbers that the usual generators draw for so many items.

    In two classes, items of one may need a second draw, as of three kinds of that class.
    """
    few = min(count, MOST_DRAWN)
    yield np.random.RandomState(seed).randint(0, classes, count)[:few]
    yield np.random.default_rng(seed).integers(0, classes, count)[:few]
    uniform = random.Random(seed)
    yield np.array([int(uniform.random() * classes) for _ in range(few)])
    for is_shuffled in (False, True):
        generator = random.Random(seed)
        if is_shuffled:
            generator.shuffle(list(range(count)))
        state = generator.getstate()
        for kinds in (1, 2, 3, 4) if classes == 2 else (1,):
            for first in (0, 1) if kinds > 1 else (0,):
                generator.setstate(state)
                found = []
                for _ in range(few):
                    found.append(generator.randrange(classes))
                    if kinds > 1 and found[-1] == first:
                        generator.randrange(kinds)
                yield np.array(found)
