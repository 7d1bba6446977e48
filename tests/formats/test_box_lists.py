"""Lists of boxes in cells: what is read and what is refused."""

import numpy as np
import pandas as pd
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.box_lists import BoxesPerId, boxes_in
from mlebench.formats.cells import at_blanks, read_groups

NAMED_FIRST = BoxesPerId(id="id", target="boxes", words=("label", "confidence", "x", "y"))
NAMED_LAST = BoxesPerId(
    id="id", target="boxes", words=("confidence", "x", "y", "label"), empty=True
)


def table(*cells: str | None) -> pd.DataFrame:
    return pd.DataFrame({"id": [f"r{k}" for k in range(len(cells))], "boxes": cells})


def test_boxes_with_their_rows_and_classes() -> None:
    answers = table("cat 1 2 3", "dog 1 4 5 cat 1 6 7")
    given = table("dog 0.5 1e2 -3  owl 0 +1 1", " cat 1 2 3").iloc[::-1]
    truth, predicted, _ = NAMED_FIRST.align(given, answers)
    assert truth.rows.tolist() == [0, 1, 1]
    cat, dog, _ = truth.labels.tolist()
    assert truth.labels.tolist() == [cat, dog, cat]
    # The file's second row is the first of the answers; boxes keep the order of the file.
    assert predicted.rows.tolist() == [1, 0, 0]
    assert predicted.labels.tolist()[:2] == [cat, dog]
    assert predicted.labels[2] not in (cat, dog)
    assert predicted.numbers.tolist() == [[1, 2, 3], [0.5, 100, -3], [0, 1, 1]]
    assert (len(predicted), predicted.count) == (2, 3)


def test_cells_without_boxes() -> None:
    answers = table("1 2 3 cat", "1 2 3 cat", "1 2 3 cat")
    _, predicted, _ = NAMED_LAST.align(table(None, "  ", "0.5 8 9 dog"), answers)
    assert predicted.rows.tolist() == [2]
    _, predicted, _ = NAMED_LAST.align(table(None, None, None), answers)
    assert (len(predicted), predicted.count) == (3, 0)
    _, predicted, _ = NAMED_FIRST.align(table("cat 1 2 3", " ", " "), table(*["cat 1 2 3"] * 3))
    assert predicted.rows.tolist() == [0]


@pytest.mark.parametrize(
    ("form", "cell", "reason"),
    [
        (NAMED_FIRST, None, "nothing in row 2"),
        (NAMED_FIRST, "cat 1 2", "row 2 has 3 words"),
        (NAMED_FIRST, "cat high 2 3", "'high'"),
        (NAMED_FIRST, "cat nan 2 3", "finite"),
        (NAMED_FIRST, "cat inf 2 3", "finite"),
        (NAMED_LAST, "1 2 3 cat ", "row 2 has 5 words"),
        (NAMED_LAST, "1  2 3 cat", "row 2 has 5 words"),
        (NAMED_LAST, "1 2 x cat", "'x'"),
    ],
)
def test_malformed_lists_are_refused(form: BoxesPerId, cell: str | None, reason: str) -> None:
    good = "cat 1 2 3" if form is NAMED_FIRST else "1 2 3 cat"
    with pytest.raises(InvalidSubmissionError, match=reason):
        form.check(table(good, cell), form.keys(table(good, good)))


def test_several_cells_can_be_one_row() -> None:
    groups = read_groups(pd.Series(["1 2", "3 4 5 6", "7 8"]), ("confidence", "x"), at_blanks)
    pooled = boxes_in(groups, np.array([2, 0, 2]))
    assert pooled.rows.tolist() == [2, 0, 0, 2]
    assert pooled.numbers.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert len(pooled) == 3
