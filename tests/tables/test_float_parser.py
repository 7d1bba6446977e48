"""The floats of pandas 2.2.3's default parser; the expected values come from that parser."""

import io
import random
from pathlib import Path

import pandas as pd
import pytest

from mlebench.tables import read_table

KNOWN = {
    "0.5": 0.5,
    "0.30000000000000004": 0.3,
    "99999999999999999": 1.0000000000000002e17,
    "0.00000000000000000000123456789": 0.0,
    "12345678901234567890123": 1.2345678901234568e22,
    " -1.5 ": -1.5,
    "0.1e309": 1e308,
    "4.9e-324": 5e-324,
    "123456789e-330": 1.24e-322,
    "1e-400": 0.0,
    "-Infinity": float("-inf"),
}


def column(folder: Path, texts: list[str]) -> pd.Series:
    path = folder / "table.csv"
    path.write_text("number,other\n" + "".join(f"{text},x\n" for text in texts))
    return read_table(path, exact=False)["number"]


def test_known_texts(tmp_path: Path) -> None:
    assert column(tmp_path, list(KNOWN)).tolist() == list(KNOWN.values())


def test_gaps_stay_and_integers_stay_integers(tmp_path: Path) -> None:
    assert column(tmp_path, ["0.30000000000000004", "", "NA"]).isna().tolist() == [
        False,
        True,
        True,
    ]
    assert column(tmp_path, ["1", "2"]).dtype == "int64"


@pytest.mark.parametrize("text", ["1e400", "0e400", "17976931348623157e293"])
def test_a_number_out_of_range_leaves_the_column_as_text(tmp_path: Path, text: str) -> None:
    assert column(tmp_path, ["0.5", text]).tolist() == ["0.5", text]


@pytest.mark.skipif(pd.__version__ >= "3", reason="pandas 3 has no such parser to compare with")
def test_agrees_with_pandas_2(tmp_path: Path) -> None:
    draw = random.Random(0)
    texts = ["0.5"]
    for _ in range(20_000):
        digits = str(draw.randrange(10 ** draw.randint(1, 30)))
        dot = draw.randint(0, len(digits))
        exponent = draw.choice(["", "", f"e{draw.randint(-400, 250)}"])
        texts.append(f"{draw.choice(['', '-', '+'])}{digits[:dot]}.{digits[dot:]}{exponent}")
    expected = pd.read_csv(io.StringIO("number\n" + "\n".join(texts)))["number"]
    assert column(tmp_path, texts).equals(expected)
