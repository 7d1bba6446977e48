"""Metrics on masks, each on cases worked by hand."""

import math

import numpy as np
import pytest

from mlebench.metrics.masks import (
    Masks,
    common_areas,
    global_dice,
    hausdorff_distance,
    iou_precision,
    mean_dice,
    mean_dice_of_marked,
    mean_f_beta,
    measure,
)

SIZE = 10


def masks(*rows: list[tuple[int, int]], size: int = SIZE) -> Masks:
    """Rows of runs, each first pixel and pixel after the last."""
    runs = np.array([run for row in rows for run in row], dtype=np.int64).reshape(-1, 2)
    first_run = np.cumsum([0, *map(len, rows)])
    return Masks(runs[:, 0], runs[:, 1], first_run).cut(np.full(len(rows), size))


# Six of ten pixels against four, three of them in common; a row without any; a row found by half.
TRUE = masks([(0, 2), (4, 8)], [], [(0, 4)])
PREDICTED = masks([(1, 3), (5, 7)], [], [(2, 4)])


def test_common_areas() -> None:
    assert common_areas(TRUE, PREDICTED).tolist() == [3, 0, 2]
    assert TRUE.areas().tolist() == [6, 0, 4]


def test_rows_may_come_in_blocks() -> None:
    blocks = [[side.part(0, 1), side.part(1, 3)] for side in (TRUE, PREDICTED)]
    assert measure(*blocks).common.tolist() == [3, 0, 2]
    assert mean_dice(*blocks) == mean_dice([TRUE], [PREDICTED])


def test_runs_may_touch_each_other_and_the_borders() -> None:
    true, predicted = masks([(0, 4), (4, 10)], [(0, 10)]), masks([(2, 10)], [(0, 5), (5, 6)])
    assert common_areas(true, predicted).tolist() == [8, 6]
    assert common_areas(predicted, true).tolist() == [8, 6]


def test_runs_are_cut_at_the_end_of_the_picture() -> None:
    cut = masks([(8, 10**17), (10**17, 10**18)], [(12, 14)], [(0, 1)])
    assert cut.areas().tolist() == [2, 0, 1]
    assert cut.first_run.tolist() == [0, 1, 1, 2]


def test_rows_change_places() -> None:
    assert TRUE[np.array([2, 0, 1])].areas().tolist() == [4, 6, 0]
    assert TRUE.part(1, 3).areas().tolist() == [0, 4]


def test_joined_rows_mark_what_any_of_them_marks() -> None:
    joined = masks([(0, 4), (8, 9)], [(5, 7)], [(2, 6)], []).joined(np.array([1, 0, 1, 0]), 2)
    assert joined.areas().tolist() == [2, 7]
    assert joined.part(1, 2).pixels()[1].tolist() == [0, 1, 2, 3, 4, 5, 8]


def test_mean_dice_of_two_empty_masks_is_1() -> None:
    # 2·3 / (6 + 4), 1, 2·2 / (4 + 2)
    assert mean_dice([TRUE], [PREDICTED]) == pytest.approx((0.6 + 1 + 2 / 3) / 3)


def test_mean_dice_of_marked_leaves_empty_rows_out() -> None:
    assert mean_dice_of_marked([TRUE], [PREDICTED]) == pytest.approx((0.6 + 2 / 3) / 2)
    assert math.isnan(mean_dice_of_marked([masks([])], [masks([])]))


def test_global_dice_pools_all_pixels() -> None:
    assert global_dice([TRUE], [PREDICTED]) == pytest.approx(2 * 5 / (10 + 6))
    assert math.isnan(global_dice([masks([])], [masks([])]))


def test_f_half_prefers_precision() -> None:
    # Precision 3/4, recall 1/2: 1.25·0.375 / (0.25·0.75 + 0.5)
    true, predicted = masks([(0, 6)]), masks([(3, 7)])
    assert mean_f_beta(0.5)([true], [predicted]) == pytest.approx(1.25 * 0.375 / 0.6875)
    assert mean_f_beta(0.5)([true], [masks([(7, 9)])]) == 0
    assert mean_f_beta(0.5)([true], [masks([])]) == 0


def test_iou_precision_counts_the_thresholds_that_are_exceeded() -> None:
    # IoU 3/7, two empty masks, exactly 2/4: above none, all and one of the thresholds.
    metric = iou_precision([0.45, 0.5, 0.55])
    assert metric([TRUE], [PREDICTED]) == pytest.approx((0 + 1 + 1 / 3) / 3)


def test_empty_mask_may_count_as_a_full_one() -> None:
    # 6 and 9 of 10 pixels are true: IoU 0.6 and 0.9 with the whole picture.
    true, nothing = masks([(0, 6)], [(0, 9)]), masks([], [])
    assert iou_precision([0.5, 0.8])([true], [nothing]) == 0
    assert iou_precision([0.5, 0.8], empty_means_full=True)([true], [nothing]) == 0.75


def test_hausdorff_distance_is_the_larger_of_both_ways() -> None:
    # From (0, 0) to (0, 3) it is 3 steps of 0.5; from (4, 3) to (0, 3) it is 4 steps of 0.25.
    true = np.array([[0, 0], [0, 3]])
    assert hausdorff_distance(true, np.array([[0, 3]]), [0.25, 0.5]) == 1.5
    assert hausdorff_distance(true, np.array([[0, 0], [0, 3], [4, 3]]), [0.25, 0.5]) == 1
    assert hausdorff_distance(true, true, [1, 1]) == 0


@pytest.mark.parametrize(
    "metric", [mean_dice, mean_dice_of_marked, global_dice, mean_f_beta(0.5), iou_precision([0.5])]
)
def test_order_of_rows_does_not_matter_and_truth_is_best(metric) -> None:
    order = np.array([2, 0, 1])
    assert metric([TRUE[order]], [PREDICTED[order]]) == pytest.approx(metric([TRUE], [PREDICTED]))
    marked = TRUE.part(0, 1)
    assert metric([marked], [marked]) == 1
    assert not metric.is_lower_better


def test_masks_agree_with_drawn_pictures() -> None:
    random = np.random.default_rng(0)

    def drawn() -> tuple[Masks, np.ndarray]:
        pictures = random.random((50, 40)) < 0.4
        changes = [np.flatnonzero(np.diff(row, prepend=0, append=0)) for row in pictures * 1]
        return masks(
            *[list(zip(c[0::2], c[1::2], strict=True)) for c in changes], size=40
        ), pictures

    (first, one), (second, other) = drawn(), drawn()
    assert (common_areas(first, second) == (one & other).sum(axis=1)).all()
    groups = np.arange(50) // 5
    joined = first.joined(groups, 10)
    assert (joined.areas() == one.reshape(10, 5, 40).any(axis=1).sum(axis=1)).all()
