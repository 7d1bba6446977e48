"""The score of masks and volumes, worked by hand."""

import math

import pandas as pd
import pytest

from mlebench.competitions.uw_madison_gi_tract_image_segmentation.metric import dice_and_distance
from mlebench.competitions.uw_madison_gi_tract_image_segmentation.submission import RowsByPosition

# One day of two slices, 4 wide and 2 high; pixels are counted down the columns.
ANSWERS = pd.DataFrame(
    {
        "id": ["case1_day2_slice_0001"] * 2 + ["case1_day2_slice_0002"],
        "class": ["large_bowel", "stomach", "stomach"],
        "predicted": ["1 2", None, "1 1"],
        "image_width": 4.0,
        "image_height": 2.0,
    }
)


def score(*masks: str | None) -> float:
    submission = ANSWERS[["id", "class"]].assign(predicted=list(masks))
    return dice_and_distance(*RowsByPosition().align(submission, ANSWERS))


def test_dice_leaves_out_rows_that_are_empty_on_both_sides() -> None:
    # Dice 2·1 / (2 + 1) and 1; the voxel missed lies half the height away from the next.
    assert score("1 1", None, "1 1") == pytest.approx(
        0.4 * (2 / 3 + 1) / 2 + 0.6 * (1 - 0.5 / 3**0.5)
    )


def test_a_mask_of_another_organ_counts_for_the_volume() -> None:
    # Dice 0, 0 and 1; all organs of a slice are joined, so the volume is right.
    assert score(None, "1 2", "1 1") == pytest.approx(0.4 / 3 + 0.6)


def test_distances_are_shares_of_the_volume_in_each_direction() -> None:
    # The first slice is missed: its second pixel is 1 of 2 slices and 1 of 2 pixels high away.
    assert score(None, None, "1 1") == pytest.approx(0.4 * 0.5 + 0.6 * (1 - math.sqrt(0.5 / 3)))


def test_nothing_found_and_far_too_much_found() -> None:
    assert score(None, None, None) == 0
    few = ANSWERS.assign(predicted=["1 1", None, None])
    much = few[["id", "class"]].assign(predicted=["1 8", None, "1 3"])
    # Dice 2·1 / (8 + 1) and 0; eleven voxels for one true one.
    assert dice_and_distance(*RowsByPosition().align(much, few)) == pytest.approx(0.4 * (2 / 9) / 2)
