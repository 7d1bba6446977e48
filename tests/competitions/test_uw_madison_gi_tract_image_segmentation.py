"""The score of masks and volumes, worked by hand."""

import math
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import distance_transform_edt
from scipy.spatial.distance import directed_hausdorff

from mlebench.competitions.uw_madison_gi_tract_image_segmentation import metric
from mlebench.competitions.uw_madison_gi_tract_image_segmentation.format import RowsByPosition
from mlebench.competitions.uw_madison_gi_tract_image_segmentation.metric import dice_and_distance
from mlebench.competitions.uw_madison_gi_tract_image_segmentation.revision import MaskPerOrgan
from mlebench.errors import InvalidSubmissionError

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
    return dice_and_distance(*RowsByPosition().align(submission, ANSWERS)[:2])


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
    assert dice_and_distance(*RowsByPosition().align(much, few)[:2]) == pytest.approx(
        0.4 * (2 / 9) / 2
    )


def test_rows_of_a_day_must_stand_where_pictures_have_one_size() -> None:
    answers = ANSWERS.assign(
        image_width=[4.0, 4.0, 5.0], id=["a_slice_1", "a_slice_1", "b_slice_1"]
    )
    submission = answers[["id", "class", "predicted"]].assign(id="a_slice_1")
    with pytest.raises(InvalidSubmissionError, match=r"row 3 .* 'a', .* \(5 x 2\)"):
        RowsByPosition().check(submission, RowsByPosition().keys(answers))


def test_volumes_follow_their_names_and_short_tables_meet_the_first() -> None:
    # Among the slices `a1_slice_1` comes before `a_slice_1`, but `a` is the first day.
    answers = pd.concat(
        [ANSWERS.assign(id=[f"{day}_slice_{n}" for n in (2, 2, 1)]) for day in ("a", "a1")]
    )
    answers["predicted"] = ["1 2", None, "1 1", "3 1", None, "4 1"]
    submission = answers[["id", "class", "predicted"]][:3]
    (_, true), (areas, predicted), _ = RowsByPosition().align(submission, answers)
    assert (len(true.shapes), len(predicted.shapes), len(areas.pixels)) == (2, 1, 3)
    assert true.slices.tolist() == [1, 1, 0, 1, 1, 0]
    assert true.volumes.tolist() == [0, 0, 0, 1, 1, 1]


def text(picture: np.ndarray) -> str:
    """The mask of a picture, counted down the columns."""
    edges = np.flatnonzero(np.diff(picture.T.ravel() * 1, prepend=0, append=0)).reshape(-1, 2)
    return " ".join(f"{start + 1} {end - start}" for start, end in edges)


def scans(*volumes: np.ndarray) -> metric.Scans:
    """Volumes as the format gives them."""
    tables = [
        pd.DataFrame(
            {
                "id": [f"day{day}_slice_{number:04d}" for number in range(len(volume))],
                "class": "stomach",
                "predicted": pd.Series([text(picture) for picture in volume], dtype=object),
                "image_width": float(volume.shape[2]),
                "image_height": float(volume.shape[1]),
            }
        )
        for day, volume in enumerate(volumes)
    ]
    answers = pd.concat(tables)
    return RowsByPosition().align(answers, answers)[0][1]


def expected_distance(true: np.ndarray, predicted: np.ndarray) -> float:
    first, second = (np.argwhere(volume) / true.shape for volume in (true, predicted))
    if not len(first) and not len(second):
        return metric.NOTHING_MARKED
    if not len(first) or not len(second) or len(second) > 10 * len(first):
        return math.inf
    return max(directed_hausdorff(first, second)[0], directed_hausdorff(second, first)[0])


shapes = st.tuples(st.integers(1, 12), st.integers(1, 80), st.integers(1, 9))


@pytest.mark.parametrize("looks", [10**9, 0], ids=["searched", "transformed"])
@settings(max_examples=60, deadline=None)
@given(data=st.data(), true_shape=shapes, seed=st.integers(0, 2**32))
def test_distances_are_those_of_the_voxels(looks: int, data, true_shape, seed: int) -> None:
    random = np.random.default_rng(seed)
    shape = data.draw(st.just(true_shape) | shapes)
    densities = data.draw(st.tuples(*[st.sampled_from([0, 0.003, 0.05, 0.5, 1])] * 2))
    true, predicted = (
        random.random(size) < density
        for size, density in zip((true_shape, shape), densities, strict=True)
    )
    if shape == true_shape:
        # Most slices are predicted right, so that nearest voxels are in other slices.
        is_right = random.random(shape[0]) < data.draw(st.sampled_from([0, 0.7]))
        predicted = np.where(is_right[:, None, None], true, predicted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(metric, "MOST_LOOKS", looks)
        found = metric.distances(scans(true), scans(predicted))
    assert found.tolist() == [pytest.approx(expected_distance(true, predicted), abs=1e-12)]


Spans = list[tuple[int, int, int, int]]
spans = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 70), st.integers(1, 7)),
    min_size=1,
    max_size=6,
)


def volume_of(some: Spans) -> metric.Volume:
    """A volume of four slices with five columns; spans are slice, column, first row and rows."""
    listed = np.array(sorted((5 * s + c, row, row + rows) for s, c, row, rows in some))
    return metric.Volume(np.searchsorted(listed[:, 0], np.arange(21)), listed)


def voxels_of(some: Spans) -> set[tuple[int, int, int]]:
    return {(s, c, row + k) for s, c, row, rows in some for k in range(rows)}


@settings(max_examples=100, deadline=None)
@given(spans, spans, st.tuples(*[st.integers(1, 300)] * 3))
def test_the_kernel_finds_what_a_plain_loop_finds(one: Spans, other: Spans, shape: tuple) -> None:
    """Any spans at all, overlapping ones included; under the sanitizers this is the fuzz target."""

    def farthest(some: set[tuple[int, int, int]], others: set[tuple[int, int, int]]) -> float:
        return max(
            min(
                math.hypot(*((a - b) / n for a, b, n in zip(v, w, shape, strict=True)))
                for w in others
            )
            for v in some
        )

    sides = voxels_of(one), voxels_of(other)
    expected = max(farthest(*sides), farthest(*sides[::-1]))
    volumes = volume_of(one), volume_of(other)
    assert [volume.count_voxels() for volume in volumes] == [len(side) for side in sides]
    facts = np.array([4, 5, 77]), 1 / np.array(shape), *volumes[0], *volumes[1]
    for looks in (10**9, 3, 0):
        found = metric._hausdorff_distance(*facts, looks)
        assert found == pytest.approx(expected, abs=1e-12)


def test_each_day_starts_without_the_marks_of_the_last() -> None:
    full, single = np.ones((3, 70, 4), dtype=bool), np.zeros((2, 5, 3), dtype=bool)
    single[0, 0, 0] = True
    other = np.roll(single, 1, axis=2)
    found = metric.distances(scans(full, single, full, single), scans(full, single, full, other))
    assert found.tolist() == [0, 0, 0, pytest.approx(1 / 3)]


def shell_and_ball(shape: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Every voxel of the shell is about as far from the ball, so that no search ends early."""
    place = np.moveaxis(np.indices(shape), 0, -1) - (np.array(shape) - 1) / 2
    radius = np.sqrt(((place / shape) ** 2).sum(axis=-1))
    return (radius > 0.45) & (radius < 0.47), radius < 0.25


def from_scipy(true: np.ndarray, predicted: np.ndarray) -> float:
    pairs, scale = ((true, predicted), (predicted, true)), 1 / np.array(true.shape)
    return max(float(distance_transform_edt(~to, sampling=scale)[of].max()) for of, to in pairs)


@pytest.mark.parametrize("looks", [10**9, 0], ids=["searched", "transformed"])
def test_a_hostile_shell_is_as_far_as_the_voxels_are(
    looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metric, "MOST_LOOKS", looks)
    sides = shell_and_ball((72, 133, 133))
    expected = pytest.approx(from_scipy(*sides), abs=1e-12)
    assert metric.distances(*map(scans, sides)).tolist() == [expected]


@pytest.mark.long
@pytest.mark.timing
def test_a_hostile_volume_of_real_size_takes_at_most_half_the_time_of_scipy() -> None:
    """Processor time, measured in turns; about a ninth where nothing else runs."""
    masks = shell_and_ball((144, 266, 266))
    sides = [scans(mask) for mask in masks]
    shares = []
    for _ in range(3):
        start = time.process_time()
        metric.distances(*sides)
        middle = time.process_time()
        from_scipy(*masks)
        shares.append((middle - start) / (time.process_time() - middle))
    assert min(shares) < 0.5


def test_too_little_memory_for_a_volume_is_an_error_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The caller answers it like any other memory error: with one sentence for this submission."""
    monkeypatch.setattr(metric, "MOST_LOOKS", 0)
    one, other = volume_of([(0, 0, 0, 1)]), volume_of([(3, 4, 0, 1)])
    shape = np.array([4, 1 << 44, 5])
    with pytest.raises(MemoryError, match="4 x 17592186044416 x 5 voxels"):
        metric.distance(one, other, shape, shape)


def test_marks_beyond_the_picture_and_runs_of_any_length_are_cut() -> None:
    assert score("1 999999999999999999", None, "1 1") == pytest.approx(score("1 8", None, "1 1"))


def revised_score(submission: pd.DataFrame) -> float:
    MaskPerOrgan().check(submission, MaskPerOrgan().keys(ANSWERS))
    return dice_and_distance(*MaskPerOrgan().align(submission, ANSWERS)[:2])


def test_revision_v1_1_measures_each_organ() -> None:
    wrong_organ = ANSWERS[["id", "class"]].assign(predicted=[None, "1 2", "1 1"])
    # Dice 0, 0 and 1. The bowel is not found: 1. Of the stomach the second pixel of the first slice
    # is 1 of 2 slices and 1 of 2 pixels high away from the true one.
    distance = (1 + math.sqrt(0.5 / 3)) / 2
    assert revised_score(wrong_organ) == pytest.approx(0.4 / 3 + 0.6 * (1 - distance))


def test_revision_v1_1_matches_rows_by_slice_and_organ() -> None:
    perfect = ANSWERS[["id", "class", "predicted"]]
    assert revised_score(perfect) == revised_score(perfect[::-1]) == 1
    for broken in (
        perfect[:2],
        pd.concat([perfect, perfect]),
        perfect.assign(**{"class": "liver"}),
    ):
        with pytest.raises(InvalidSubmissionError, match="id, class"):
            revised_score(broken)
