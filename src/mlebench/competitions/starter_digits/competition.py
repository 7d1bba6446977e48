"""Starter: which digit a picture shows. A demonstration: scikit-learn has the answers."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.values import labels
from mlebench.metrics import accuracy
from mlebench.recipes import LabelSplit
from mlebench.recipes.bundled import load_bundled, shuffled
from mlebench.tables import read_table, split_rows, write_table

rows = RowPerId(id="id", target="label", values=labels)
tables = LabelSplit(rows, table="train_labels.csv")


def make_raw(raw: Path) -> None:
    """Write `images/<id>.png` (8 by 8, grey) and `labels.csv` (`id`, `label`)."""
    import pandas as pd
    from PIL import Image

    bunch = load_bundled("digits")
    digits = shuffled(pd.DataFrame({"label": bunch.target}))
    digits["id"] = digits["id"].map("digit_{:04d}".format)
    (raw / "images").mkdir()
    # The scan counts ink from 0 to 16 per cell; a picture goes from 0 to 255.
    grey = (bunch.images * 255 / 16).round().astype("uint8")
    for row, image_id in zip(digits.index, digits["id"], strict=True):
        Image.fromarray(grey[row]).save(raw / "images" / f"{image_id}.png")
    write_table(digits, raw / "labels.csv")


def prepare(raw: Raw, public: Path, private: Path, *, test_size: float = 0.4) -> None:
    parts = split_rows(read_table(raw / "labels.csv"), test_size=test_size)
    tables.write(parts, public, private)
    for part, folder in zip(parts, ("train", "test"), strict=True):
        names = [f"{image_id}.png" for image_id in part["id"]]
        copy_files({name: raw / "images" / name for name in names}, public / folder)


competition = CompetitionDefinition(
    id="starter-digits",
    title="Starter: Digits",
    category="Image Classification",
    complexity="starter",
    dataset_gb=0.0003,
    make_raw=make_raw,
    prepare=prepare,
    submission=rows,
    metric=accuracy,
)
