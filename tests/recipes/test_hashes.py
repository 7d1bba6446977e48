"""Draws by hash: reproducible with hashlib alone, whatever the order of the source."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pandas as pd
import pytest

from mlebench.archives.raw import RawFolder
from mlebench.errors import DataError
from mlebench.recipes.hashes import draw, hash_of, in_hash_order, split_by_hash


def test_hash_of() -> None:
    lengths = [(2).to_bytes(8, "big"), (1).to_bytes(8, "big")]
    expected = hashlib.sha256(b"v1.1\0" + lengths[0] + b"ab" + lengths[1] + b"c").digest()
    assert hash_of("ab", b"c") == expected
    assert hash_of("a", "bc") != expected


def test_draw() -> None:
    names = [f"item{number}" for number in range(1000)]
    drawn = draw(names, 0.1)
    assert len(drawn) == 100
    assert drawn == draw(reversed(names), 0.1) == draw(names * 2, 100)
    # One more item changes at most one of those drawn.
    assert len(drawn - draw([*names, "another"], 100)) <= 1


@pytest.mark.parametrize("size", [0, 3, 0.0, 1.0])
def test_too_few(size: float | int) -> None:
    with pytest.raises(DataError, match="too few"):
        draw("abc", size)


def test_split_by_hash() -> None:
    frame = pd.DataFrame({"patient": [k % 20 for k in range(100)], "row": range(100)})
    train, test = split_by_hash(frame, "patient", test_size=0.25)
    assert set(train["patient"]).isdisjoint(test["patient"])
    assert test["patient"].nunique() == 5
    assert train["row"].is_monotonic_increasing and test["row"].is_monotonic_increasing
    assert len(train) + len(test) == 100


def test_order_of_files(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number:02d}").write_bytes(bytes([number // 2]))
    files = RawFolder(tmp_path).files()
    hashes = [
        hashlib.sha256(b"v1.1\0" + file.read_bytes()).digest() for file in in_hash_order(files)
    ]
    assert hashes == sorted(hashes)
    # Equal files do not keep the order of the source either.
    assert [f.path for f in in_hash_order(files)] == [f.path for f in in_hash_order(files[::-1])]
