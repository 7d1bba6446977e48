"""What a predicted class may look like."""

import numpy as np
import pandas as pd
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.values import (
    first_whole_numbers,
    integer_lists,
    some_class_names,
    texts_only,
    truncated_numbers,
    whole_numbers,
)


def column(*cells):
    return pd.DataFrame({"label": list(cells)})


@pytest.mark.parametrize(
    ("values", "cells", "expected"),
    [
        (whole_numbers, (3, 4), [3, 4]),
        (whole_numbers, (3.0, -4.0), [3, -4]),
        (whole_numbers, (True, False), [1, 0]),
        (truncated_numbers, (3.9, -3.9, 7), [3, -3, 7]),
        (first_whole_numbers, (3, -4), [3, -4]),
        (first_whole_numbers, ("12 3 4", " 5", "-6\t7", "+8"), [12, 5, -6, 8]),
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
        (whole_numbers, ("3", "oak"), "'oak' in row 2, expected a number"),
        (truncated_numbers, (3.9, None), "nothing in row 2"),
        (truncated_numbers, ("3", "oak"), "'oak' in row 2"),
        (first_whole_numbers, (3.0, 4.0), "'3.0' in row 1, expected a whole number without"),
        (first_whole_numbers, ("1 2", None), "nothing in row 2"),
        (first_whole_numbers, ("1 2", "x 2"), "'x 2' in row 2, expected a whole number, or a list"),
        (first_whole_numbers, ("1 2", "1.5 2"), "'1.5 2' in row 2"),
        (first_whole_numbers, ("1 2", "9" * 5000), "in row 2"),
        (first_whole_numbers, (True, False), "'True' in row 1"),
        (texts_only, (1, 2), "'1' in row 1, expected text"),
        (texts_only, (0.5, None), "'0.5' in row 1"),
        (some_class_names, (None, None), "nothing in row 1"),
    ],
)
def test_refused(values, cells, reason):
    with pytest.raises(InvalidSubmissionError, match=r"label") as refusal:
        values(column(*cells))
    assert reason in str(refusal.value)
