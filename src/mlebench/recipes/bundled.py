"""Raw data that ships inside scikit-learn, written as files; the starter competitions use it.

The rows are shuffled and renumbered: scikit-learn sorts some of its tables by class, and row
numbers would reveal the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.tables import write_table

if TYPE_CHECKING:
    import pandas as pd

SEED = 2024


def bundled_table(
    name: str, *, target: str, renamed: Mapping[str, str], classes: Mapping[int, Any] | None = None
) -> Callable[[Path], None]:
    """A function that writes `train.csv`: `id`, the measured columns, the target.

    Args:
        name: of scikit-learn's loader, without `load_`.
        renamed: columns that get a name of their own; in all others a space becomes `_`.
        classes: what to write for the numbers of the classes.
    """

    def make_raw(raw: Path) -> None:
        bunch = load_bundled(name)
        frame = bunch.data.rename(columns=lambda c: renamed.get(c, c.replace(" ", "_")))
        values = bunch.target.map(classes) if classes else bunch.target
        write_table(shuffled(frame.assign(**{target: values})), raw / "train.csv")

    return make_raw


def load_bundled(name: str) -> Any:
    """A data set of scikit-learn: `data`, `target`, `images` and so on, as frames."""
    from sklearn import datasets

    options = {"scaled": False} if name == "diabetes" else {}
    return getattr(datasets, f"load_{name}")(as_frame=True, **options)


def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows in a fixed random order, with ids from 1; the index is the original row number."""
    import numpy as np

    order = np.random.RandomState(SEED).permutation(len(frame))
    mixed = frame.iloc[order]
    mixed.insert(0, "id", np.arange(1, len(frame) + 1))
    return mixed
