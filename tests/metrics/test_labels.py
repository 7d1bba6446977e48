"""Counting labels, beside plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.metrics import macro_f1, matthews_correlation, quadratic_kappa
from mlebench.metrics.labels import ROWS_AT_ONCE, counted

LABELS = st.one_of(
    st.lists(st.tuples(st.integers(-3, 6), st.integers(-3, 6)), min_size=1),
    st.lists(
        st.tuples(st.integers(-(2**63), 2**63 - 1), st.sampled_from([-(2**63), 0, 2**62])),
        min_size=1,
    ),
    st.lists(st.tuples(st.sampled_from([0.5, 1e-20, -1.0, 3.0]), st.floats(-2, 2)), min_size=1),
    st.lists(st.tuples(st.text("ab", max_size=2), st.text("ab", max_size=2)), min_size=1),
)


@given(LABELS)
def test_every_label_is_counted_on_both_sides(rows: list) -> None:
    truth, prediction = (list(side) for side in zip(*rows, strict=True))
    counts, _ = counted(truth, prediction)
    expected = [
        [truth.count(label), prediction.count(label), rows.count((label, label))]
        for label in sorted({*truth, *prediction})
    ]
    assert counts[counts.any(axis=1)].tolist() == expected


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, float])
def test_numbers_of_any_kind_in_many_rows(kind: type) -> None:
    random = np.random.default_rng(0)
    truth, prediction = random.integers(3, 90, (2, 2 * ROWS_AT_ONCE + 7))
    prediction[-1] = 1
    counts, labels = counted(truth.astype(kind), prediction)
    assert counts[:, 0].tolist() == np.bincount(truth - 1, minlength=89).tolist()
    assert counts[:, 1].tolist() == np.bincount(prediction - 1, minlength=89).tolist()
    hits = truth[truth == prediction]
    assert counts[:, 2].tolist() == np.bincount(hits - 1, minlength=89).tolist()
    assert labels.squared_steps(np.arange(89)) == ((truth - prediction) ** 2).sum()


def test_one_label_that_is_no_whole_step_from_the_others() -> None:
    truth = np.arange(2 * ROWS_AT_ONCE) % 5
    prediction = truth.astype(float)
    prediction[-1] = 3.5
    counts, _ = counted(truth, prediction)
    assert counts[:, 1].sum() == len(truth)
    assert counts[4].tolist() == [0, 1, 0]


def test_distant_numbers_and_texts_score_like_their_places() -> None:
    truth, prediction = np.array([0, 1, 2, 2, 4]), np.array([0, 2, 2, 1, 0])
    far = np.array([-(10**15), 5, 7, 8, 10**17])
    texts = np.array(["", "a", "b", "c", "d"], object)
    for metric in (macro_f1, matthews_correlation):
        for names in (far, far / 2, texts):
            assert metric(names[truth], names[prediction]) == metric(truth, prediction)
    # The label that is not found, 3, does not part 2 from 4.
    places = np.array([0, 1, 2, 9, 3])
    for names in (far, far / 2, texts):
        score = quadratic_kappa(places[truth], places[prediction])
        assert quadratic_kappa(names[truth], names[prediction]) == score
