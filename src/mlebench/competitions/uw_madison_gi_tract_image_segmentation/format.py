"""Rows paired with the answers by their position, and stacked into volumes by their own ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mlebench.competitions.uw_madison_gi_tract_image_segmentation.metric import Scans
from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, require_columns
from mlebench.formats.cells import require_texts
from mlebench.formats.ids import is_equal
from mlebench.formats.run_lengths import mask_texts, read_runs, read_runs_as_published
from mlebench.formats.values import refuse
from mlebench.metrics.masks import compare

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]

SIZES = ["image_width", "image_height"]


class RowsByPosition:
    """A mask for each row of the answers, in their order; rows beyond the last are left out."""

    id = "id"
    targets = ("predicted",)

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        """Sizes of the images, which are public: their names contain them."""
        return answers[SIZES]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        rows = self._rows(submission, keys)
        sizes = _sizes(keys)[: len(rows)]
        read_runs(mask_texts(rows["predicted"]), sizes.prod(axis=1), is_cut_first=True)
        stack(rows["id"], sizes)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        """The areas of all masks, and the masks stacked into volumes."""
        rows, sizes = self._rows(submission, answers), _sizes(answers)
        true, predicted = (mask_texts(table["predicted"]) for table in (answers, rows))
        pixels = sizes.prod(axis=1)
        paired = pixels[: len(rows)]
        true_runs = read_runs(true, pixels, is_cut_first=True)
        runs, warnings = read_runs_as_published(predicted, paired, is_cut_first=True)
        truth, prediction = compare(true_runs.of_first_rows(len(rows)), runs, paired)
        true_stack = stack(answers["id"], sizes)
        is_same = is_equal(rows["id"], answers["id"])
        own_stack = true_stack if is_same else stack(rows["id"], sizes[: len(rows)])
        scans = (Scans(true_runs, *true_stack), Scans(runs, *own_stack))
        return Aligned((truth, scans[0]), (prediction, scans[1]), warnings)

    def _rows(self, submission: pd.DataFrame, keys: pd.DataFrame) -> pd.DataFrame:
        require_columns(submission, ["id", "class", "predicted"])
        require_texts(submission["predicted"], gaps=True, expected="pairs 'start length'")
        rows = submission.iloc[: len(keys)]
        refuse(rows[["id"]], rows["id"].isna().to_numpy(), "the id of a slice")
        return rows


def _sizes(keys: pd.DataFrame) -> Ints:
    return keys[SIZES].to_numpy().astype(np.int64)


def stack(ids: pd.Series[Any], sizes: Ints) -> tuple[Ints, Ints, Ints]:
    """For each mask its volume and its slice there, both in the order of their names.

    The third array has slices, height and width of each volume.
    """
    import pandas as pd

    slices, names = pd.factorize(ids.astype(str), sort=True)
    days = np.array([name.split("_slice_", 1)[0] for name in names.tolist()], dtype=object)
    volume_of_slice, day_names = pd.factorize(days, sort=True)
    volumes = volume_of_slice[slices].astype(np.int64)
    shapes = np.empty((len(day_names), 3), dtype=np.int64)
    shapes[:, 0] = np.bincount(volume_of_slice, minlength=len(day_names))
    shapes[volumes[::-1], 1:] = sizes[::-1, ::-1]
    is_other = (sizes != shapes[volumes, :0:-1]).any(axis=1)
    if is_other.any():
        row = int(np.argmax(is_other))
        raise _mixed_sizes(row, sizes, str(days[slices[row]]))
    places = pd.Series(volume_of_slice).groupby(volume_of_slice).cumcount().to_numpy()
    return volumes, places[slices].astype(np.int64), shapes


def _mixed_sizes(row: int, sizes: Ints, day: str) -> InvalidSubmissionError:
    """Each row has the size of the answer at its position, and all rows of a day have the same."""
    width, height = sizes[row]
    return InvalidSubmissionError(
        f"row {row + 1} of the submission belongs to {day[:60]!r}, but row {row + 1} of test.csv"
        f" is a picture of another size ({width} x {height}); expected the rows in the order of"
        " test.csv"
    )
