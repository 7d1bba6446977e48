"""Raw data that ships inside scikit-learn, written as files; the starter competitions use it.

The rows are shuffled and numbered anew: scikit-learn sorts some of its tables by class, and an id
that counts its rows would tell the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mlebench.tables import write_table
from mlebench.tables.frames import Frame

SEED = 2024


def bundled_table(
    name: str, *, target: str, renamed: Mapping[str, str], classes: Mapping[int, Any] | None = None
) -> Callable[[Path], None]:
    """A writer of `train.csv`: `id`, the measured columns, the target.

    Args:
        name: of scikit-learn's loader, without `load_`.
        renamed: columns that get a name of their own; in all others a blank becomes `_`.
        classes: what to write for the numbers of the classes.
    """

    def make_raw(raw: Path) -> None:
        bunch = _load(name)
        frame = bunch.data.rename(columns=lambda column: renamed.get(column, _plain(column)))
        values = bunch.target.map(classes) if classes else bunch.target
        write_table(_shuffled(frame.assign(**{target: values})), raw / "train.csv")

    return make_raw


def digit_images(raw: Path) -> None:
    """Write `images/<id>.png` (8 by 8, grey) and `labels.csv` (`id`, `label`)."""
    import pandas as pd
    from PIL import Image

    bunch = _load("digits")
    labels = _shuffled(pd.DataFrame({"label": bunch.target}))
    labels["id"] = labels["id"].map("digit_{:04d}".format)
    (raw / "images").mkdir()
    # The scan counts ink from 0 to 16 per cell; a picture goes from 0 to 255.
    grey = (bunch.images * 255 / 16).round().astype("uint8")
    for row, image_id in zip(labels.index, labels["id"], strict=True):
        Image.fromarray(grey[row]).save(raw / "images" / f"{image_id}.png")
    write_table(labels, raw / "labels.csv")


def _plain(column: str) -> str:
    return column.replace(" ", "_")


def _load(name: str) -> Any:
    from sklearn import datasets

    options = {"scaled": False} if name == "diabetes" else {}
    return getattr(datasets, f"load_{name}")(as_frame=True, **options)


def _shuffled(frame: Frame) -> Frame:
    """The rows in an order drawn once and for all, with ids from 1; the index tells the old row."""
    import numpy as np

    order = np.random.RandomState(SEED).permutation(len(frame))
    mixed = frame.iloc[order]
    mixed.insert(0, "id", np.arange(1, len(frame) + 1))
    return mixed
