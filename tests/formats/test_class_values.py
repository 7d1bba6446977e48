"""What a predicted class may look like."""

import numpy as np
import pandas as pd
import pytest

from mlebench.competitions.inaturalist_2019_fgvc6.format import first_whole_numbers
from mlebench.errors import InvalidSubmissionError
from mlebench.formats.class_labels import (
    never_equal,
    signed_whole_numbers,
    truncated_numbers,
    whole_numbers,
)
from mlebench.formats.values import integer_lists, some_class_names, texts_only


def column(*cells):
    return pd.DataFrame({"label": list(cells)})


@pytest.mark.parametrize(
    ("values", "cells", "expected"),
    [
        (whole_numbers, (3, 4), [3, 4]),
        (whole_numbers, (3.0, -4.0), [3, -4]),
        (whole_numbers, (True, False), [1, 0]),
        (whole_numbers, (2**63, 3), [2.0**63, 3]),
        (truncated_numbers, (3.9, -3.9, 7), [3, -3, 7]),
        (truncated_numbers, ("3", "1_000", "٣"), [3, 1000, 3]),
        (first_whole_numbers, (3, -4), [3, -4]),
        (first_whole_numbers, ("12 3 4", " 5", "-6\t7", "+8"), [12, 5, -6, 8]),
        (first_whole_numbers, ("1_000 2", "4"), [1000, 4]),
        (first_whole_numbers, (True, False), [1, 0]),
        (integer_lists, ("1 20 3", "0"), ["1 20 3", "0"]),
        (integer_lists, ("01 +2\t3", "-0"), ["1 2 3", "0"]),
        (integer_lists, (7, 12), ["7", "12"]),
        (texts_only, ("oak", None), ["oak", ""]),
        (texts_only, (None, None), ["", ""]),
        (some_class_names, ("oak", None), ["oak", ""]),
    ],
)
def test_accepted(values, cells, expected):
    assert list(np.asarray(values(column(*cells)))) == expected


@pytest.mark.parametrize(
    ("values", "cells", "reason"),
    [
        (whole_numbers, (3, 3.5), "'3.5' in row 2, expected a whole number"),
        (whole_numbers, (3, None), "nothing in row 2, expected a whole number"),
        (whole_numbers, (3, float("inf")), "'inf' in row 2"),
        (whole_numbers, (3.0, 1e308), "'1e+308' in row 2"),
        (signed_whole_numbers, (3, 2**63), "in row 2"),
        (truncated_numbers, (3.9, 1e308), "'1e+308' in row 2"),
        (truncated_numbers, ("3", "9" * 20), "in row 2, expected a whole number"),
        (truncated_numbers, ("3", "4.0"), "'4.0' in row 2"),
        (whole_numbers, ("3", "oak"), "'oak' in row 2, expected a number"),
        (truncated_numbers, (3.9, None), "nothing in row 2"),
        (truncated_numbers, ("3", "oak"), "'oak' in row 2"),
        (first_whole_numbers, (3.0, 4.0), "'3.0' in row 1, expected a whole number without"),
        (first_whole_numbers, (3, 2**63), "in row 2, expected a whole number without"),
        (first_whole_numbers, ("1 2", None), "nothing in row 2"),
        (first_whole_numbers, ("1 2", " "), "' ' in row 2"),
        (first_whole_numbers, ("1 2", "x 2"), "'x 2' in row 2, expected a whole number, or a list"),
        (first_whole_numbers, ("1 2", "1.5 2"), "'1.5 2' in row 2"),
        (first_whole_numbers, ("1 2", "9" * 5000), "in row 2"),
        (texts_only, (1, 2), "'1' in row 1, expected text"),
        (texts_only, (0.5, None), "'0.5' in row 1"),
        (some_class_names, (None, None), "nothing in row 1"),
    ],
)
def test_refused(values, cells, reason):
    with pytest.raises(InvalidSubmissionError, match=r"label") as refusal:
        values(column(*cells))
    assert reason in str(refusal.value)


@pytest.mark.parametrize(
    "cells", [("a", "b", "c"), ("a", "a", "a"), (1, 2, 3), (True, False, True)]
)
def test_labels_of_another_kind_are_all_wrong(cells):
    truth = np.array(["oak", "elm", "ash"]) if isinstance(cells[0], int) else np.array([1, 2, 3])
    assert np.isnan(never_equal(column(*cells), truth)).all()


@pytest.mark.parametrize("cells", [("a", "b", "a"), ("True", "0", "0")])
def test_two_classes_of_another_kind_are_refused(cells):
    # scikit-learn sorts the classes of both sides together and stops.
    with pytest.raises(InvalidSubmissionError, match="of another kind than the answers"):
        never_equal(column(*cells), np.array([True, False, True]))
    assert np.isnan(never_equal(column("a", "b", "c"), np.array([True, False, True]))).all()


@pytest.mark.parametrize(
    "cells", [("a", None, "c"), (0.5, 1.0, 2.0), (1.0, None, 2.0), (1e19, 1, 2)]
)
def test_what_is_no_label_is_refused(cells):
    with pytest.raises(InvalidSubmissionError, match="label"):
        never_equal(column(*cells), np.array([1, 2, 3]))
