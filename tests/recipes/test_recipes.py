"""Recipes on raw data of a few rows."""

from pathlib import Path

from mlebench.archives.raw import RawFolder
from mlebench.formats import RowPerId
from mlebench.recipes.splits import LabelledFiles


def test_labelled_files_go_where_their_rows_go(tmp_path: Path) -> None:
    raw, public, private = (tmp_path / name for name in ("raw", "public", "private"))
    ids = [f"{letter}{number}" for letter in "ab" for number in range(10)]
    for name in ids:
        file = raw / "train" / name[0] / f"{name}.bin"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(name.encode())
    (raw / "labels.csv").write_text("id,y\n" + "".join(f"{name},1\n" for name in ids))
    recipe = LabelledFiles(
        RowPerId(id="id", target="y"),
        files="train/{0[0]}/{0}.bin",
        test_size=0.25,
        sample_value=0.5,
        table="labels.csv",
        answers="answers.csv",
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
