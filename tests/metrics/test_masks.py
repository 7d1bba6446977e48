"""Metrics on masks, each on cases worked by hand."""

import math

import numpy as np
import pytest

from mlebench.metrics.masks import (
    PredictedMasks,
    TrueMasks,
    dice_of_masks,
    global_dice,
    iou_precision,
    mean_dice,
    mean_f_beta,
)

SIZE = 10


def masks(*rows: tuple[int, int, int]) -> tuple[TrueMasks, PredictedMasks]:
    """For each row how many pixels are true, predicted, and both."""
    true, predicted, hits = np.array(rows, dtype=np.int64).T
    return TrueMasks(true, np.full(len(rows), SIZE)), PredictedMasks(predicted, hits)


# Six of ten pixels against four, three of them in common; a row without any; a row found by half.
ROWS = (6, 4, 3), (0, 0, 0), (4, 2, 2)


def test_mean_dice_of_two_empty_masks_is_1() -> None:
    # 2·3 / (6 + 4), 1, 2·2 / (4 + 2)
    assert mean_dice(*masks(*ROWS)) == pytest.approx((0.6 + 1 + 2 / 3) / 3)


def test_a_row_without_any_mark_has_no_dice() -> None:
    dice = dice_of_masks(*masks(*ROWS))
    assert dice[~np.isnan(dice)].mean() == pytest.approx((0.6 + 2 / 3) / 2)
    assert np.isnan(dice_of_masks(*masks((0, 0, 0)))).all()


def test_global_dice_pools_all_pixels() -> None:
    assert global_dice(*masks(*ROWS)) == pytest.approx(2 * 5 / (10 + 6))
    assert math.isnan(global_dice(*masks((0, 0, 0))))


def test_f_half_prefers_precision() -> None:
    # Precision 3/4, recall 1/2: 1.25·0.375 / (0.25·0.75 + 0.5)
    assert mean_f_beta(0.5)(*masks((6, 4, 3))) == pytest.approx(1.25 * 0.375 / 0.6875)
    assert mean_f_beta(0.5)(*masks((6, 2, 0))) == 0
    assert mean_f_beta(0.5)(*masks((6, 0, 0))) == 0


def test_iou_precision_counts_the_thresholds_that_are_exceeded() -> None:
    # IoU 3/7, two empty masks, exactly 2/4: above none, all and one of the thresholds.
    metric = iou_precision([0.45, 0.5, 0.55])
    assert metric(*masks(*ROWS)) == pytest.approx((0 + 1 + 1 / 3) / 3)


def test_empty_mask_may_count_as_a_full_one() -> None:
    # 6 and 9 of 10 pixels are true: IoU 0.6 and 0.9 with the whole picture.
    nothing = masks((6, 0, 0), (9, 0, 0))
    assert iou_precision([0.5, 0.8])(*nothing) == 0
    assert iou_precision([0.5, 0.8], empty_means_full=True)(*nothing) == 0.75


@pytest.mark.parametrize("metric", [mean_dice, global_dice, mean_f_beta(0.5), iou_precision([0.5])])
def test_order_of_rows_does_not_matter_and_truth_is_best(metric) -> None:
    turned = masks(*ROWS[::-1])
    assert metric(*turned) == pytest.approx(metric(*masks(*ROWS)))
    assert metric(*masks((6, 6, 6))) == 1
    assert not metric.is_lower_better
