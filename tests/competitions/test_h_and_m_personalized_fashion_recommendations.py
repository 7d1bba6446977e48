"""Every buyer must be covered; who the buyers are, validation does not know."""

from __future__ import annotations

import pandas as pd
import pytest

from mlebench.competitions.h_and_m_personalized_fashion_recommendations.format import (
    CustomersCovered,
)
from mlebench.errors import InvalidSubmissionError

customers = CustomersCovered(id="customer_id", target="prediction")
ANSWERS = pd.DataFrame({"customer_id": ["a", "c"], "prediction": ["1 2", "3"]})


def table(ids: list[str], predictions: list[object]) -> pd.DataFrame:
    return pd.DataFrame({"customer_id": ids, "prediction": predictions})


def test_rows_of_others_are_ignored() -> None:
    truth, guesses, _ = customers.align(table(["c", "b", "a"], ["3 1", "9", "2"]), ANSWERS)
    assert list(truth) == ["1 2", "3"]
    assert list(guesses) == ["2", "3 1"]


def test_cells_are_text_as_pandas_reads_the_whole_column() -> None:
    _, guesses, _ = customers.align(table(["a", "b", "c"], [1, 2, 3]), ANSWERS)
    assert list(guesses) == ["1", "3"]
    # A gap anywhere makes decimals of all numbers.
    _, guesses, _ = customers.align(table(["a", "b", "c"], [1, None, 3]), ANSWERS)
    assert list(guesses) == ["1.0", "3.0"]


def test_a_missing_buyer_is_found_when_graded_and_not_before() -> None:
    incomplete = table(["b", "c"], ["1", "2"])
    customers.check(incomplete, customers.keys(ANSWERS))
    with pytest.raises(InvalidSubmissionError, match="lacks customers") as error:
        customers.align(incomplete, ANSWERS)
    assert "'a'" not in str(error.value)


def test_a_customer_listed_twice_is_refused() -> None:
    with pytest.raises(InvalidSubmissionError, match="'b' more than once"):
        customers.check(table(["a", "b", "b", "c"], ["1"] * 4), None)
