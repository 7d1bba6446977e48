"""Check that no known random seed restores an order that tells labels, or the labels themselves.

The published splits draw with fixed seeds from a list in a known order. Where test items are listed
as the split returned them, anyone can restore that list, and if it is sorted by class, the labels.
Labels that were drawn themselves follow from the seed alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy

from mlebench.audit.audited import Audited
from mlebench.audit.record import Observation
from mlebench.audit.splits import FAST_SPLITS, SLOW_SPLITS
from mlebench.audit.statistics import (
    FEW_ROWS,
    LEVEL,
    Neighbours,
    chance_of_equal,
    chance_of_matches,
)

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from mlebench.audit.files import PublicFile

SMALL_SEEDS = range(101)
SEEDS = (*SMALL_SEEDS, 111, 123, 666, 777, 999, 1234, 1337, *range(2015, 2027), 4242, 12345, 31337)
"""Includes 0, 8 and 42, which the published splits use, and numbers that people like."""

USUAL_SEEDS, COMMON_SEEDS = (0, 1, 7, 8, 42, 123, 1234, 2020, 2021, 2022, 2023, 2024), (0, 1, 8, 42)
LARGEST_SOURCE, MANY_ITEMS, LARGE_SOURCE, LARGE_LIST = 5_000_000, 500_000, 5_000, 50_000
MOST_SIZES, MOST_RESTORED, MOST_DRAWN, MOST_CLASSES = 16, 2_000, 200, 16
CLASS_SHARE = 0.5


@dataclass(frozen=True)
class _Listed:
    """The labels of a target in a public order of all its items."""

    order: str
    target: str
    values: NDArray[Any]
    likeness: Neighbours
    trains: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
    """Class numbers of a training table, and of the values."""


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
                trains = [*_class_numbers(audited, target, values)]
                listed.append(_Listed(name, target, values, likeness, trains))
    if listed:
        count = len(listed[0].values)
        sizes = [count, *source_sizes(audited, count)]
        tests = _tests(listed, sizes)
        yield from islice(_restored_orders(listed, sizes, tests), 1)
        yield from islice(_stratified_labels(listed, tests[False]), 1)
        yield from islice(_drawn_labels(listed), 1)


def _tests(listed: list[_Listed], sizes: list[int]) -> dict[bool, int]:
    """By how many tests the level is divided: those of the published splits, and all others.

    The published ones have two thirds of the level, so that the others cost them little power.
    """
    count = len(listed[0].values)
    # Neighbours are compared, and labels are looked up in two ways.
    each = 3 * len(listed)
    others = sum(
        len(SEEDS)
        - len(SMALL_SEEDS)
        + len(FAST_SPLITS) * len(_fast_seeds(size))
        + len(SLOW_SPLITS) * len(slow_seeds(size, count))
        for size in sizes
    )
    stratified = len(SEEDS) * sum(len(one.trains) for one in listed)
    usual = each * len(sizes) * len(SMALL_SEEDS)
    return {True: usual * 3 // 2, False: 3 * (each * others + stratified)}


def _restored_orders(
    listed: list[_Listed], sizes: list[int], tests: dict[bool, int]
) -> Iterator[Observation]:
    """Orders of the source list, if items are listed as a split or a shuffle returns them."""
    count = len(listed[0].values)
    most = {
        is_usual: [one.likeness.chance.deviation(number) for one in listed]
        for is_usual, number in tests.items()
    }
    for how, is_usual, places in _source_places(sizes, count):
        order = np.argsort(places[: min(count, MOST_RESTORED)])
        for one, limit in zip(listed, most[is_usual], strict=True):
            deviation = one.likeness.deviation(order)
            chance = LEVEL / tests[is_usual]
            if deviation > limit or _is_looked_up(one, places, chance=chance):
                text = f"{one.order}: {how} restores a source order that {one.target!r} follows"
                text = f"{text}, one of {tests[is_usual]:,} tests"
                yield Observation("fail", text, round(deviation, 2), round(limit, 2))


def _fast_seeds(size: int) -> Sequence[int]:
    """The seeds to try with numpy's generators, which take a millisecond for 50,000 items."""
    return SEEDS if size <= MANY_ITEMS else USUAL_SEEDS


def slow_seeds(size: int, count: int) -> Sequence[int]:
    """The seeds to try with generators that draw in Python, which are slow for many items.

    A list of the test items alone is worth more time than one of every possible source.
    """
    if size <= (LARGE_LIST if size == count else LARGE_SOURCE):
        return SEEDS
    return USUAL_SEEDS if size <= LARGE_LIST else COMMON_SEEDS


def _source_places(sizes: list[int], count: int) -> Iterator[tuple[str, bool, NDArray[np.int64]]]:
    """Places in the source of the items of the test, then of train, for every usual generator.

    Also whether the split is one of `train_test_split` with a small seed, as the published ones.
    """
    for size in sizes:
        for seed in SEEDS:
            places = np.random.RandomState(seed).permutation(size)
            yield f"seed {seed} over {size:,} items", seed in SMALL_SEEDS, places
        kinds = ((FAST_SPLITS, _fast_seeds(size)), (SLOW_SPLITS, slow_seeds(size, count)))
        for splits, seeds in kinds:
            for seed in seeds:
                for how, split in splits.items():
                    places = split(seed, size, count)
                    yield f"{how} with seed {seed} of {size:,} items", False, places


def source_sizes(audited: Audited, test: int) -> list[int]:
    """How many items the split source may have had: those of train and test together."""
    trains = {len(table) for table in audited.train_tables.values()}
    trains |= {rows for rows in map(_array_rows, _train_arrays(audited)) if rows}
    train = [file.path for file in audited.files if audited.part_of(file) == "train"]
    counts = Counter(path.rpartition("/")[0] for path in train).values()
    trains |= {count for count in counts if count >= FEW_ROWS} | {len(train)}
    sizes = sorted({count + test for count in trains if count + test <= LARGEST_SOURCE})
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


def _class_numbers(
    audited: Audited, target: str, values: NDArray[Any]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    for table in audited.train_tables.values():
        if len(table) and target in table.columns:
            known = table[target].to_numpy()
            texts = np.concatenate([known.astype(str), values.astype(str)])
            names, codes = np.unique(texts, return_inverse=True)
            if len(names) <= len(codes) * CLASS_SHARE:
                yield codes[: len(known)], codes[len(known) :]


def _is_looked_up(one: _Listed, places: NDArray[np.int64], *, chance: float) -> bool:
    """Whether the next training label in the restored list is right more often than by chance.

    Training rows are assumed in the order of the split, or sorted as in the source.
    """
    total = len(one.values)
    count, others = min(total, MOST_RESTORED), len(places) - total
    trains = [train for train in one.trains if len(train[0]) == others]
    if not trains:
        return False
    is_train = np.ones(len(places), dtype=bool)
    is_train[places[:total]] = False
    nearest = np.cumsum(is_train)[places[:count]].clip(max=others - 1)
    rows = np.empty_like(places)
    rows[places[total:]] = np.arange(others)
    as_drawn = rows[np.flatnonzero(is_train)[nearest]]
    return any(
        chance_of_equal(known[order], values[:count]) < chance
        for known, values in trains
        for order in (as_drawn, nearest)
    )


def _stratified_labels(listed: list[_Listed], tests: int) -> Iterator[Observation]:
    """Labels that `train_test_split` lists if it is stratified.

    It draws from each class in turn and then shuffles what it has drawn, so that the labels follow
    from the seed and the sizes of the classes, whatever the order of the source.
    """
    from sklearn.model_selection import train_test_split

    trains = [(one, *train) for one in listed for train in one.trains]
    for one, known, values in trains:
        source = np.sort(np.concatenate([known, values]))
        few, test = np.bincount(source), len(values)
        if few[few > 0].min() < 2 or len(few) > min(test, len(known)) or len(source) > LARGE_LIST:
            continue
        for seed in SEEDS:
            guesses = train_test_split(
                source, test_size=test, random_state=seed, shuffle=True, stratify=source
            )[1]
            if chance_of_equal(guesses, values) < LEVEL / tests:
                how = f"a stratified split with seed {seed} lists {one.target!r} in this order"
                yield Observation("fail", f"{one.order}: {how}, one of {tests:,} tests")
                break


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
    found = [
        (seed, drawn) for seed in slow_seeds(count, count) for drawn in draws(seed, count, classes)
    ]
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
