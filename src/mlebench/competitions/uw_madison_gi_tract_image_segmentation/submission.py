"""Rows paired with the answers by their position, and stacked to volumes by their own ids."""

from typing import Any

import numpy as np

from mlebench.competitions.uw_madison_gi_tract_image_segmentation.metric import Scans, stack
from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.cells import require_texts, text_cells
from mlebench.grading.formats import require_columns
from mlebench.grading.run_lengths import MaskTexts

SIZES = ["image_width", "image_height"]


class RowsByPosition:
    """A mask for each row of the answers, in their order; rows beyond the last are left out."""

    id = "id"
    targets = ("predicted",)

    def keys(self, answers: Frame) -> Frame:
        """Sizes of the pictures: their names tell them, so they are no secret."""
        return answers[SIZES]

    def check(self, submission: Frame, keys: Frame) -> None:
        self._predictions(submission, keys)

    def align(self, submission: Frame, answers: Frame) -> tuple[Scans, Scans]:
        predicted = self._predictions(submission, self.keys(answers))
        return _stacked(answers, answers), predicted

    def _predictions(self, submission: Frame, keys: Frame) -> Scans:
        require_columns(submission, ["id", "class", "predicted"])
        require_texts(submission["predicted"], gaps=True, expected="pairs 'start length'")
        return _stacked(submission, keys)


def _stacked(rows: Frame, keys: Frame) -> Scans:
    import pyarrow.compute as pc

    rows = rows.iloc[: len(keys)]
    sizes = keys[SIZES].to_numpy().astype(np.int64)[: len(rows)]
    masks = MaskTexts.of(rows["predicted"]).masks(sizes=sizes.prod(axis=1))
    ids = text_cells(rows["id"].astype(str))
    days = pc.list_element(pc.split_pattern(ids, pattern="_slice_", max_splits=1), 0)
    volumes = _number_by_name(days)
    _refuse_mixed_sizes(days, volumes, sizes)
    return stack(masks, sizes, slices=_number_by_name(ids), volumes=volumes)


def _number_by_name(names: Any) -> Any:
    """Each name's place among all different ones in the order of the alphabet."""
    import pyarrow.compute as pc

    encoded = names.dictionary_encode()
    places = np.empty(len(encoded.dictionary), dtype=np.int64)
    places[pc.array_sort_indices(encoded.dictionary).to_numpy()] = np.arange(len(places))
    return places[encoded.indices.to_numpy()]


def _refuse_mixed_sizes(days: Any, volumes: Any, sizes: Any) -> None:
    """Each row has the size of the answer at its position, and those of a day must be one."""
    size_of_volume = np.empty((volumes.max(initial=-1) + 1, 2), dtype=np.int64)
    size_of_volume[volumes[::-1]] = sizes[::-1]
    is_other = (sizes != size_of_volume[volumes]).any(axis=1)
    if is_other.any():
        row = int(np.argmax(is_other))
        width, height = sizes[row]
        raise InvalidSubmissionError(
            f"row {row + 1} of the submission belongs to {days[row].as_py()[:60]!r} but stands"
            f" where test.csv has a picture of another size ({width} x {height}); expected the rows"
            " in the order of test.csv"
        )
