"""The fast split of large tables produces the same bytes as pandas."""

from __future__ import annotations

import io
import random
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.archives.raw import RawFolder
from mlebench.archives.write_log import OutputPath, WriteLog
from mlebench.catalogue import Catalogue
from mlebench.competitions.new_york_city_taxi_fare_prediction import big_tables
from mlebench.competitions.new_york_city_taxi_fare_prediction.big_tables import split_big_table
from mlebench.competitions.new_york_city_taxi_fare_prediction.canonical import (
    NotStreamable,
    printed_columns,
)
from mlebench.system.files import sha256
from mlebench.tables import read_table, split_positions, split_rows, write_table


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many blocks and many buckets, so that their borders are met."""
    monkeypatch.setattr(big_tables, "BLOCK_BYTES", 300)
    monkeypatch.setattr(big_tables, "BUCKET_BYTES", 500)


@pytest.fixture
def no_pandas_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Falling back would hide a fault."""
    monkeypatch.setattr(big_tables, "write_table", lambda *_, **__: pytest.fail("fell back"))


def compare(data: bytes, folder: Path, test_size: int = 7) -> None:
    """Both ways write the same two files."""
    (folder / "raw.csv").write_bytes(data)
    raw = RawFolder(folder) / "raw.csv"
    test = split_big_table(raw, folder / "train.csv", partial(split_positions, test_size=test_size))
    write_table(test, folder / "test.csv")
    train_rows, test_rows = split_rows(read_table(raw), test_size=test_size)
    write_table(train_rows, folder / "expected_train.csv")
    write_table(test_rows, folder / "expected_test.csv")
    for part in ("train", "test"):
        expected = (folder / f"expected_{part}.csv").read_bytes()
        assert (folder / f"{part}.csv").read_bytes() == expected
    assert list(test.columns) == list(test_rows.columns)


def rows(values: list[str], repeat: int = 40) -> bytes:
    """A table with a text, a number that is always plain, and the values to look at."""
    lines = [
        f"2009-06-15 {n:02d}:{n % 60:02d}.{n:07d},{n},{values[n % len(values)]},0.{n + 1}"
        for n in range(repeat * len(values))
    ]
    return ("key,count,value,share\n" + "\n".join(lines) + "\n").encode()


NUMBERS = {
    "trailing zeros": ["40.730100", "-73.980", "1.0", "100", "0.50"],
    "many digits": ["-73.90780216671916", "57.329999999999998", "0.1000000000000000055511151231"],
    "whole and zero": ["0", "-0", "45", "-3", "-0.0", "1e3", "007.5"],
    "gaps": ["1.5", "", "2", "NA", "nan", "-3.25", "#N/A", "null"],
    "whole numbers with a gap": ["1", "2", "", "30"],
    "small and large": [
        "0.0001",
        "0.00009",
        "1e-7",
        "123456789012.5",
        "9999999999",
        "1e22",
        "1e16",
    ],
    "large whole numbers": ["12345678901234567", "9007199254740993", "0.5"],
    "signs and points": ["+1.5", "-.5", "5.", "+7", "1E5", "2e-3"],
    "blanks around": [" 1.5", "2.5 ", " 3"],
    "only whole numbers": ["1", "-2", "007", "+5", " 6", "0"],
    "edges": ["9223372036854775807", "-9223372036854775808"],
    "texts": ["abc:1", "x y", "b,".strip(","), "caf\u00e9:", "z"],
    "texts with gaps": ["abc", "", "b c", "None", "hello"],
}


@pytest.mark.usefixtures("small_blocks", "no_pandas_way")
@pytest.mark.parametrize("values", NUMBERS.values(), ids=NUMBERS.keys())
def test_quick_way(values: list[str], tmp_path: Path) -> None:
    compare(rows(values), tmp_path)


@pytest.mark.usefixtures("small_blocks", "no_pandas_way")
@pytest.mark.parametrize("late", ["", "2.5", "NaN", "1e2"])
def test_whole_numbers_that_turn_out_to_be_others(late: str, tmp_path: Path) -> None:
    """The last rows decide how the first ones are printed."""
    lines = [f"k:{n},{n}" for n in range(500)] + [f"k:500,{late}"]
    compare(("key,value\n" + "\n".join(lines) + "\n").encode(), tmp_path)


ODD = {
    "quotes": rows(['"a,b"', "c"]),
    "line ends of Windows": rows(["1.5", "2"]).replace(b"\n", b"\r\n"),
    "blank lines": rows(["1.5", "2"]).replace(b"\n", b"\n\n", 5),
    "blank line at the end": rows(["1.5", "2"]) + b"\n",
    "truth values": rows(["True", "False", "TRUE"]),
    "infinite": rows(["1.5", "inf"]),
    "too large for a float": rows(["1.5", "1e400"]),
    "too large for a whole number": rows(["1", "18446744073709551616"]),
    "unsigned": rows(["1", "18446744073709551615"]),
    "hexadecimal": rows(["0x10", "1"]),
    "numbers, then a text": rows(["1"] * 300 + ["abc"], repeat=1),
    "texts, then numbers": rows(["abc"] * 300 + ["1"], repeat=1),
    "mark of the order of bytes": b"\xef\xbb\xbf" + rows(["1", "2"]),
    "two columns of one name": rows(["1"]).replace(b"share", b"value", 1),
    "column without a name": rows(["1"]).replace(b"share", b"", 1),
    "short rows": rows(["1.5", "2"]).replace(b",0.7\n", b"\n", 1),
    "gaps only": rows([""]),
    "texts that are gaps": rows(["NA", "null"]),
}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("data", ODD.values(), ids=ODD.keys())
@pytest.mark.filterwarnings("ignore::pandas.errors.DtypeWarning")
def test_what_only_pandas_understands(data: bytes, tmp_path: Path) -> None:
    compare(data, tmp_path)


@pytest.mark.usefixtures("small_blocks", "no_pandas_way")
def test_no_line_end_after_the_last_row(tmp_path: Path) -> None:
    compare(rows(["1.5", "20"])[:-1], tmp_path)


@pytest.mark.usefixtures("no_pandas_way")
def test_random_table(tmp_path: Path) -> None:
    r = random.Random(3)

    def number() -> str:
        digits = r.choice([1, 2, 4, 6, 14, 17])
        return r.choice([f"{r.uniform(-100, 100):.{digits}f}", f"{r.uniform(-1, 1):.{digits}g}"])

    lines = [f"id:{n},{number()},{r.randrange(9)},{number()}" for n in range(20_000)]
    compare(("id,a,b,c\n" + "\n".join(lines) + "\n").encode(), tmp_path, test_size=999)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50))
@settings(max_examples=300, deadline=None)
def test_every_float_is_printed_as_python_prints_it(values: list[float]) -> None:
    block = "".join(f"{value:.17g}\n" for value in values).encode()
    (texts,) = printed_columns(block, ["a"], ["float"])
    assert texts.to_pylist() == [repr(value) for value in values]


def test_floats_of_all_sizes() -> None:
    r = np.random.default_rng(0)
    values = 10 ** r.uniform(-12, 20, 50_000) * r.choice([-1, 1], 50_000)
    values = np.concatenate([values, values.round(3), values.round(8), np.trunc(values)])
    block = "\n".join(map(repr, values.tolist())).encode() + b"\n"
    (texts,) = printed_columns(block, ["a"], ["float"])
    assert texts.to_pylist() == [repr(value) for value in values.tolist()]


def test_mixed_is_refused() -> None:
    with pytest.raises(NotStreamable):
        printed_columns(b"1.5\nabc\n", ["a"], ["float"])
    assert pa.types.is_string(printed_columns(b"1.5\n", ["a"], ["float"])[0].type)


@pytest.mark.usefixtures("small_blocks", "no_pandas_way")
def test_hash_is_taken_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "raw.csv").write_bytes(rows(["1.5", "2"]))
    log = WriteLog()
    train = OutputPath.of(tmp_path, log) / "train.csv"
    split_big_table(RawFolder(tmp_path) / "raw.csv", train, partial(split_positions, test_size=7))
    assert log.hashes == {str(train): (train.stat().st_size, sha256(train))}
    assert log.rows == {str(train): 73}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["raw.csv", "train.csv"]


@pytest.mark.usefixtures("no_pandas_way")
def test_taxi_rehearsal_takes_the_quick_way(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path).get_competition("new-york-city-taxi-fare-prediction")
    competition.make_rehearsal(tmp_path, 0, 1)
    data = (tmp_path / "train.csv").read_bytes()
    compare(data, tmp_path, test_size=9914)
    assert pd.read_csv(io.BytesIO(data)).shape == (10_034, 8)
