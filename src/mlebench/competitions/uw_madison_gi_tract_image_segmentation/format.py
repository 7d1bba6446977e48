"""Rows paired with the answers by their position, and stacked to volumes by their own ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.competitions.uw_madison_gi_tract_image_segmentation.metric import Stack
from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, require_columns
from mlebench.formats.cells import require_texts
from mlebench.formats.ids import is_equal
from mlebench.formats.run_lengths import MaskTexts, measure, measure_as_published
from mlebench.formats.values import refuse
from mlebench.metrics.words import as_arrow

if TYPE_CHECKING:
    import pandas as pd

SIZES = ["image_width", "image_height"]


class RowsByPosition:
    """A mask for each row of the answers, in their order; rows beyond the last are left out."""

    id = "id"
    targets = ("predicted",)

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        """Sizes of the pictures: their names tell them, so they are no secret."""
        return answers[SIZES]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        rows = self._rows(submission, keys)
        texts, sizes = MaskTexts.of(rows["predicted"]), _sizes(keys)[: len(rows)]
        measure(texts, texts, sizes.prod(axis=1), is_cut_first=True)
        stack(rows["id"], sizes)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        """The areas of all masks, and the masks stacked to volumes."""
        rows, sizes = self._rows(submission, answers), _sizes(answers)
        true, predicted = (MaskTexts.of(table["predicted"]) for table in (answers, rows))
        paired = slice(0, len(rows))
        pixels = sizes[paired].prod(axis=1)
        graded = measure_as_published(true.part(paired), predicted, pixels, is_cut_first=True)
        true_stack = stack(answers["id"], sizes)
        is_same = is_equal(rows["id"], answers["id"])
        predicted_stack = true_stack if is_same else stack(rows["id"], sizes[paired])
        truth = graded.truth, true_stack.scans(true)
        return Aligned(
            truth, (graded.prediction, predicted_stack.scans(graded.texts)), graded.warnings
        )

    def _rows(self, submission: pd.DataFrame, keys: pd.DataFrame) -> pd.DataFrame:
        require_columns(submission, ["id", "class", "predicted"])
        require_texts(submission["predicted"], gaps=True, expected="pairs 'start length'")
        rows = submission.iloc[: len(keys)]
        refuse(rows[["id"]], rows["id"].isna().to_numpy(), "the id of a slice")
        return rows


def _sizes(keys: pd.DataFrame) -> Any:
    return keys[SIZES].to_numpy().astype(np.int64)


def stack(ids: Any, sizes: Any) -> Stack:
    """Order masks by volume and slice, each in the order of their names."""
    import pyarrow.compute as pc

    slices, names = _numbered_by_name(as_arrow(ids.astype(str)))
    days = pc.list_element(pc.split_pattern(names, pattern="_slice_", max_splits=1), 0)
    volume_of_slice, day_names = _numbered_by_name(days)
    volumes = volume_of_slice[slices]
    shapes = np.empty((len(day_names), 3), dtype=np.int64)
    shapes[:, 0] = np.bincount(volume_of_slice, minlength=len(day_names))
    shapes[volumes[::-1], 1:] = sizes[::-1, ::-1]
    is_other = (sizes[:, 0] != shapes[volumes, 2]) | (sizes[:, 1] != shapes[volumes, 1])
    if is_other.any():
        raise _mixed_sizes(int(np.argmax(is_other)), sizes, days, slices)

    by_volume = np.argsort(volume_of_slice, kind="stable")
    place = np.empty_like(by_volume)
    place[by_volume] = np.arange(len(place))
    place -= (np.cumsum(shapes[:, 0]) - shapes[:, 0])[volume_of_slice]
    order = np.argsort(volumes, kind="stable")
    first_mask = np.searchsorted(volumes[order], np.arange(len(shapes) + 1))
    return Stack(order, place[slices][order], first_mask, shapes)


def _numbered_by_name(names: Any) -> tuple[Any, Any]:
    """Each name's place among all different ones in the order of the alphabet; and these."""
    import pyarrow.compute as pc

    # Equal names mostly stand together, and only the first of each such group is looked up.
    is_new = np.ones(len(names), dtype=bool)
    is_new[1:] = pc.not_equal(names[1:], names[:-1]).to_numpy(zero_copy_only=False)
    first = np.flatnonzero(is_new)
    firsts = names.take(first)
    rows = np.diff(first, append=len(names))
    if pc.all(pc.less(firsts[:-1], firsts[1:]), skip_nulls=False, min_count=0).as_py():
        return np.repeat(np.arange(len(first)), rows), firsts
    encoded = firsts.dictionary_encode()
    order = pc.array_sort_indices(encoded.dictionary)
    places = np.empty(len(order), dtype=np.int64)
    places[order.to_numpy()] = np.arange(len(places))
    numbers = np.repeat(places[encoded.indices.to_numpy()], rows)
    return numbers, encoded.dictionary.take(order)


def _mixed_sizes(row: int, sizes: Any, days: Any, slices: Any) -> InvalidSubmissionError:
    """Each row has the size of the answer at its position, and those of a day must be one."""
    width, height = sizes[row]
    return InvalidSubmissionError(
        f"row {row + 1} of the submission belongs to {days[slices[row]].as_py()[:60]!r} but"
        f" stands where test.csv has a picture of another size ({width} x {height}); expected"
        " the rows in the order of test.csv"
    )
