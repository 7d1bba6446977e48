"""Recipes on raw data of a few rows."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

from mlebench.archives.raw import Raw, RawFolder
from mlebench.formats import RowPerId
from mlebench.recipes import (
    ClassFolders,
    ClassSplit,
    Copies,
    Files,
    Folders,
    LabelSplit,
    Recipe,
    TableSplit,
    TrainRows,
    ZippedFiles,
)


def test_labelled_files_go_where_their_rows_go(tmp_path: Path) -> None:
    raw, public, private = (tmp_path / name for name in ("raw", "public", "private"))
    ids = [f"{letter}{number}" for letter in "ab" for number in range(10)]
    for name in ids:
        file = raw / "train" / name[0] / f"{name}.bin"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(name.encode())
    (raw / "labels.csv").write_text("id,y\n" + "".join(f"{name},1\n" for name in ids))
    rows = RowPerId(id="id", target="y")
    recipe = Recipe(
        LabelSplit(
            rows, test_size=0.25, sample_value=0.5, table="labels.csv", answers="answers.csv"
        ),
        Files("train/{0[0]}/{0}.bin", rows.id),
    )
    recipe(RawFolder(raw), public, private)

    answers = (private / "answers.csv").read_text().split()[1:]
    train = (public / "labels.csv").read_text().split()[1:]
    sample = (public / "sample_submission.csv").read_text().split()
    assert (len(answers), len(train)) == (5, 15)
    assert sorted(answers + train) == [f"{name},1" for name in ids]
    assert sample == ["id,y", *(row.replace(",1", ",0.5") for row in answers)]
    for part, rows in (("train", train), ("test", answers)):
        found = {file.stem: file.read_text() for file in (public / part).rglob("*.bin")}
        assert found == {row[:2]: row[:2] for row in rows}
        assert all((public / part / name[0] / f"{name}.bin").is_file() for name in found)


LABELS = "id,kind,text,y\n" + "".join(f"{n:02},{'ab'[n % 2]},t{n},{n}\n" for n in range(20))


def prepared(
    tmp_path: Path, prepare: Callable[[Raw, Path, Path], object], files: dict[str, bytes]
) -> tuple[dict[str, str], Path]:
    """The content of all prepared text files by path, and the public folder."""
    for name, data in {"train.csv": LABELS.encode(), **files}.items():
        (tmp_path / "raw" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "raw" / name).write_bytes(data)
    prepare(RawFolder(tmp_path / "raw"), tmp_path / "public", tmp_path / "private")
    found = [*(tmp_path / "public").rglob("*.*"), *(tmp_path / "private").rglob("*.*")]
    texts = {
        file.relative_to(tmp_path).as_posix(): file.read_text()
        for file in found
        if file.suffix != ".zip"
    }
    return texts, tmp_path / "public"


def columns(text: str) -> list[list[str]]:
    """The columns of a CSV, each with its name first."""
    return [list(column) for column in zip(*csv.reader(text.splitlines()), strict=True)]


def test_table_split_hides_targets_and_more(tmp_path: Path) -> None:
    rows = RowPerId(id="text", target="y")
    recipe = TableSplit(rows, test_size=5, sample_value=range, answers="a.csv", hidden=("kind",))
    files, _ = prepared(tmp_path, recipe, {})
    answers = columns(files["private/a.csv"])
    assert [column[0] for column in answers] == ["id", "kind", "text", "y"]
    assert len(answers[0]) == 6
    assert columns(files["public/test.csv"]) == [answers[0], answers[2]]
    counted = ["y", *map(str, range(5))]
    assert columns(files["public/sample_submission.csv"]) == [answers[2], counted]


def test_class_split_gives_a_column_per_class(tmp_path: Path) -> None:
    rows = RowPerId(id="text", target=("b", "a"))
    recipe = ClassSplit(rows, label="kind", test_size=6, sample_value={"b": 0.25, "a": 0.75})
    files, _ = prepared(tmp_path, recipe, {})
    _, texts, ys = columns(files["public/test.csv"])
    is_b = [str(int(y) % 2) for y in ys[1:]]
    is_a = [str(1 - int(y) % 2) for y in ys[1:]]
    assert columns(files["private/test.csv"]) == [texts, ["b", *is_b], ["a", *is_a]]
    guesses = [["b", *["0.25"] * 6], ["a", *["0.75"] * 6]]
    assert columns(files["public/sample_submission.csv"]) == [texts, *guesses]


def test_steps_send_everything_to_its_part(tmp_path: Path) -> None:
    names = [f"t{n}" for n in range(20)]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(f"inside/{name}.txt", name)
    raw = {
        **{f"train_scans/{name}/1.txt": name.encode() for name in names},
        **{f"train_kinds/{'ab'[n % 2]}/{name}": name.encode() for n, name in enumerate(names)},
        "train_packed.zip": packed.getvalue(),
        "boxes.csv": ("text,box\n" + "".join(f"{name},1\n" for name in names)).encode(),
        "extra.csv": b"x",
        "notes/deep/a.txt": b"y",
    }
    rows = RowPerId(id="text", target="y")
    recipe = Recipe(
        LabelSplit(rows, test_size=7),
        Folders("train_scans", "text"),
        ClassFolders("train_kinds", "kind", "text"),
        ZippedFiles("train_packed.zip", "inside/{}.txt", "text"),
        TrainRows("text", ("boxes.csv",)),
        Copies("extra.csv", "notes"),
    )
    files, public = prepared(tmp_path, recipe, raw)
    test = set(columns(files["private/test.csv"])[2][1:])
    train = set(names) - test
    assert len(test) == 7
    for part, expected in (("train", train), ("test", test)):
        assert {path.name for path in (public / f"{part}_scans").iterdir()} == expected
        with zipfile.ZipFile(public / f"{part}_packed.zip") as archive:
            assert set(archive.namelist()) == {f"{name}.txt" for name in expected}
    kinds = {f"{'ab'[int(name[1:]) % 2]}/{name}" for name in train}
    below = public / "train_kinds"
    found = {path.relative_to(below).as_posix() for path in below.rglob("t*")}
    assert found == kinds
    assert {path.name for path in (public / "test_kinds").iterdir()} == test
    assert set(columns(files["public/boxes.csv"])[0][1:]) == train
    assert (files["public/extra.csv"], files["public/notes/deep/a.txt"]) == ("x", "y")
