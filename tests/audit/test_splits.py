"""The seeds of the usual splits are found in the order of the test rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mlebench.audit.seeds import _is_looked_up, _Listed
from mlebench.audit.statistics import Neighbours, chance_of_equal
from tests.audit.planted import BY_CLASS, build, checked

SPLITS = {
    "the end of a permutation": "order = np.random.RandomState(5).permutation(ROWS);"
    " order = np.roll(order, TEST)",
    "numpy's generator": "order = np.random.default_rng(42).permutation(ROWS)",
    "a Python shuffle": "import random; order = [*range(ROWS)]; random.Random(8).shuffle(order);"
    " order = np.roll(order, TEST)",
    "a Python sample": "import random; chosen = random.Random(3).sample(range(ROWS), TEST);"
    " order = [*chosen, *sorted({*range(ROWS)} - {*chosen})]",
    "a popular seed": "order = np.random.RandomState(2021).permutation(ROWS)",
}
STRATIFIED = (
    "from sklearn.model_selection import train_test_split;"
    " order = train_test_split(np.arange(ROWS), test_size=TEST, random_state=42,"
    " stratify=table['label']);"
    " table = table.iloc[[*order[1], *order[0]]]"
)


def order_status(folder: Path, before: str, *, is_sorted: bool = False) -> str:
    return checked(build(folder, 3, before=before, is_sorted=str(is_sorted)))["order"].status


@pytest.mark.parametrize("name", SPLITS)
def test_sorted_source(name: str, tmp_path: Path) -> None:
    listed = f"{BY_CLASS}; {SPLITS[name]}; table = table.iloc[order]"
    assert order_status(tmp_path, listed) == "fail"


@pytest.mark.parametrize(("is_sorted", "status"), [(False, "fail"), (True, "pass")])
def test_stratified_split_of_an_unsorted_source(
    is_sorted: bool, status: str, tmp_path: Path
) -> None:
    """It tells the labels of any source, unless the rows are sorted by id afterwards."""
    assert order_status(tmp_path, STRATIFIED, is_sorted=is_sorted) == status


@pytest.mark.parametrize("is_sorted", [False, True])
def test_labels_of_training_neighbours_are_looked_up(is_sorted: bool) -> None:
    """Blocks of five equal labels: the next training row of the source mostly has the label."""
    source = np.arange(1_000) // 5
    places = np.random.RandomState(5).permutation(len(source))
    test, train = places[:100], places[100:]
    values, known = source[test], source[np.sort(train) if is_sorted else train]
    listed = _Listed("rows", "label", values, Neighbours(values), [(known, values)])
    assert _is_looked_up(listed, places, chance=1e-9)
    others = np.random.RandomState(6).permutation(len(source))
    assert not _is_looked_up(listed, others, chance=1e-9)


def test_chance_of_equal_class_numbers() -> None:
    """Four of four pairs, each equal with the probability 1/2, and none at all."""
    ones = np.array([0, 0, 1, 1])
    assert chance_of_equal(ones, ones) == pytest.approx(1 / 16)
    assert chance_of_equal(ones, 1 - ones) == 1
