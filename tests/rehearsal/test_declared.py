"""Declared raw data: what is drawn from which stream, in which order, and where it is written."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from mlebench.rehearsal import (
    Chance,
    Choice,
    Dates,
    FilePerId,
    Gap,
    HexId,
    Ids,
    Making,
    Many,
    Numbered,
    Of,
    Parts,
    Phrase,
    Random,
    RawData,
    Real,
    Sampled,
    Several,
    Stream,
    Table,
    Text,
    Whole,
    raw_data,
    rng,
)


def rows_of(table: Table, *, seed: int = 0, scale: int = 1) -> list[list[str]]:
    making = Making(seed, scale, rng(seed, "rows"))
    [(_, content)] = table(making)
    return list(csv.reader(io.StringIO(content.decode())))


def test_a_table_draws_row_by_row_in_the_order_of_its_columns() -> None:
    table = Table("a.csv", {"id": HexId(4), "n": Whole(0, 100), "flag": Chance(0.5)}, count=3)
    r = Random("0/rows")
    expected = []
    for _ in range(6):
        row = [f"{r.getrandbits(16):04x}", str(r.randrange(100)), str(int(r.random() < 0.5))]
        expected.append(row)
    assert rows_of(table, scale=2) == [["id", "n", "flag"], *expected]


def test_series_are_drawn_before_the_rows_and_decide_their_number() -> None:
    ids = Ids(HexId(4), 2, fixed=1)
    table = Table("a.csv", {"label": Whole(0, 9), "id": ids, "constant": "x"}, count=50)
    r = Random("0/rows")
    drawn = sorted(f"{r.getrandbits(16):04x}" for _ in range(3))
    assert rows_of(table)[1:] == [[str(r.randrange(9)), i, "x"] for i in drawn]


def test_a_key_may_name_several_columns() -> None:
    columns = {
        "a,b": Several(1, Choice("z")),
        "c": Of("b", lambda r, cell: cell * 3),
        "d,e": (7, 8),
    }
    assert rows_of(Table("a.csv", columns, fixed=1)) == [[*"abcde"], ["1", "z", "zzz", "7", "8"]]


def test_columns_may_be_hidden_and_rows_sorted() -> None:
    columns = {"_n": [1, 2, 3], "b": ["q", "r", "p"], "a": Of("_n", lambda r, n: -n)}
    rows = [["q", "-1"], ["r", "-2"], ["p", "-3"]]
    assert rows_of(Table("a.csv", columns)) == [["b", "a"], *rows]
    assert rows_of(Table("a.csv", columns, sorted_by="b")) == [["b", "a"], *sorted(rows)]


def test_numbers_samples_and_their_parts() -> None:
    making = Making(0, 2, rng(0, "rows"))
    assert Numbered(2, fixed=1, start=9, form="id_{:03d}").values(making) == [
        "id_009",
        "id_010",
        "id_011",
        "id_012",
        "id_013",
    ]
    everybody = Sampled(range(100), 5, is_sorted=True)
    first, others = everybody.split(3)
    sample = sorted(Random("0/rows").sample(range(100), 10))
    assert first.values(making) == sample[:6]
    assert others.values(making) == sample[6:]


def test_a_column_of_a_table_is_the_one_in_its_file() -> None:
    train = Table("train.csv", {"id": HexId(8), "label": Chance(0.5)}, 20, sorted_by="id")
    making = Making(3, 1, rng(3, "rows"))
    files = FilePerId("{0[0]}/{0}.bin", train["id"], lambda r: b"")
    names = [name for name, _ in files(making)]
    [(_, content)] = train(making)
    written = [line.split(",")[0] for line in content.decode().split()[1:]]
    assert names == [f"{i[0]}/{i}.bin" for i in written]
    assert written == sorted(written)


def test_raw_data_is_written_below_the_folder(tmp_path: Path) -> None:
    ids = Ids(HexId(8), 2)
    make_raw = RawData(
        "rows",
        Table("train.csv", {"id": ids}),
        Stream("pictures", FilePerId("a/b/{}.bin", ids, lambda r: r.randbytes(4))),
        ("empty/", b""),
        ("note.txt", b"note"),
    )
    make_raw(tmp_path, 5)
    drawn, pictures = Random("5/rows"), Random("5/pictures")
    names = sorted(f"{drawn.getrandbits(32):08x}" for _ in range(2))
    assert (tmp_path / "train.csv").read_text() == "id\n" + "".join(f"{i}\n" for i in names)
    for name in names:
        assert (tmp_path / f"a/b/{name}.bin").read_bytes() == pictures.randbytes(4)
    assert list((tmp_path / "empty").iterdir()) == []
    assert (tmp_path / "note.txt").read_bytes() == b"note"


def test_making_raw_data_again_draws_again(tmp_path: Path) -> None:
    """What a declaration draws belongs to one call, not to the module."""
    make_raw = RawData("rows", Table("train.csv", {"id": Ids(HexId(8), 3)}))
    texts = []
    for name, seed in (("a", 0), ("b", 1), ("c", 0)):
        make_raw(tmp_path / name, seed)
        texts.append((tmp_path / name / "train.csv").read_text())
    assert texts[0] == texts[2] != texts[1]


def test_a_function_of_files_becomes_make_raw(tmp_path: Path) -> None:
    @raw_data("rows")
    def make_raw(making: Making) -> Parts:
        yield "sizes.txt", f"{making.seed} {making.scale}".encode()
        yield "draws.txt", repr((making.r.random(), making.stream("other").random())).encode()

    make_raw(tmp_path, 4, 3)
    assert (tmp_path / "sizes.txt").read_text() == "4 3"
    draws = Random("4/rows").random(), Random("4/other").random()
    assert (tmp_path / "draws.txt").read_text() == repr(draws)


@pytest.mark.parametrize("weights", [None, [1, 5, 2]])
def test_a_choice_draws_like_the_standard_library(weights: list[float] | None) -> None:
    ours, theirs = Random(7), Random(7)
    choice = Choice("a", "b", "c", weights=weights)
    for _ in range(50):
        assert choice(ours) == (
            theirs.choices("abc", weights)[0] if weights else theirs.choice("abc")
        )


def test_dates_have_the_fields_of_their_form() -> None:
    r = Random(2)
    fields = [r.randrange(*span) for span in ((9, 16), (1, 13), (1, 29), (0, 24))]
    assert Dates("20{:02d}-{:02d}-{:02d} {:02d}h", (9, 16))(Random(2)) == (
        "20{:02d}-{:02d}-{:02d} {:02d}h".format(*fields)
    )


def test_a_gap_is_drawn_after_its_value_and_a_choice_of_draws_before() -> None:
    ours, theirs = Random(5), Random(5)
    gap = Gap(Whole(0, 100), 0.5)
    choice = Choice(Real(0, 1, digits=3), "other", weights=[0.5, 0.5])
    for _ in range(20):
        value = theirs.randrange(100)
        assert gap(ours) == ("" if theirs.random() < 0.5 else value)
        expected = round(theirs.uniform(0, 1), 3) if theirs.random() < 0.5 else "other"
        assert choice(ours) == expected


def test_the_form_of_a_text_is_drawn_after_its_values() -> None:
    ours, theirs = Random(3), Random(3)
    text = Text(Choice("{0}", "{1:02d}-{0}", "none"), Phrase(2), Whole(0, 60))
    for _ in range(20):
        words, number = Phrase(2)(theirs), theirs.randrange(60)
        assert text(ours) == theirs.choice([words, f"{number:02d}-{words}", "none"])


def test_many_values_are_a_list_or_a_text() -> None:
    ours, theirs = Random(4), Random(4)
    for _ in range(10):
        numbers = [theirs.randrange(9) for _ in range(theirs.randrange(2, 5))]
        assert Many(Whole(0, 9), Whole(2, 5))(ours) == numbers
        numbers = [theirs.randrange(9) for _ in range(3)]
        assert Many(Whole(0, 9), 3, " ")(ours) == " ".join(map(str, numbers))
        assert len(Phrase(3, 6)(ours).split()) == theirs.randrange(3, 6)
        theirs.setstate(ours.getstate())


def test_hidden_columns_are_drawn_for_other_parts() -> None:
    """A column whose name starts with `_` is the content of files, but not in the table."""
    columns = {"id": ["a", "b"], "size": Whole(1, 9), "_file": Of("id,size", lambda r, i, n: i * n)}
    table = Table("a.csv", columns)
    making = Making(0, 1, rng(0, "rows"))
    sizes = table["size"].values(making)
    [(_, content)] = table(making)
    assert content.decode() == f"id,size\na,{sizes[0]}\nb,{sizes[1]}\n"
    files = FilePerId("{0[1]}/{0[0]}", table["id,size"], table["_file"])
    assert list(files(making)) == [(f"{n}/{i}", i * n) for i, n in zip("ab", sizes, strict=True)]


def test_parts_may_return_other_parts(tmp_path: Path) -> None:
    @raw_data("rows")
    def make_raw(making: Making) -> Parts:
        ids = Ids(HexId(8), 2)
        yield Table("a.csv", {"id": ids})
        yield FilePerId("b/{}", ids, b"same")
        yield "c.txt", f"{making.r.random()}".encode()

    make_raw(tmp_path, 0)
    r = Random("0/rows")
    names = sorted(f"{r.getrandbits(32):08x}" for _ in range(2))
    assert (tmp_path / "a.csv").read_text().split() == ["id", *names]
    assert [(tmp_path / "b" / name).read_bytes() for name in names] == [b"same", b"same"]
    assert (tmp_path / "c.txt").read_text() == str(r.random())


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1, 2], "b": [1, 2, 3]}, r"a.csv: columns have different lengths: \[2, 3\]"),
        ({"a,b": Several(1, 2, 3)}, "a.csv: row 0 has 3 cells for 2 columns"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(columns: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rows_of(Table("a.csv", columns, fixed=1))
