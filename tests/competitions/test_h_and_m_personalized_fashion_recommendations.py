"""Every buyer must be covered; who the buyers are, validation does not know."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from mlebench.catalogue import Catalogue
from mlebench.competitions.h_and_m_personalized_fashion_recommendations.format import (
    CustomersCovered,
)
from mlebench.errors import InvalidSubmissionError
from mlebench.preparing.options import Rehearsal
from mlebench.preparing.prepare import prepare

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


def test_purchases_stay_in_the_order_of_days(tmp_path: Path) -> None:
    """All customers are test items, but 31 million purchases must not be sorted by them."""
    competition = Catalogue(tmp_path, revision="v1.1").get_competition(
        "h-and-m-personalized-fashion-recommendations"
    )
    prepare(competition, Rehearsal())
    bought = pd.read_csv(competition.public_dir / "transactions_train.csv", dtype=str)
    assert set(bought["customer_id"]) <= set(pd.read_csv(competition.sample_submission).iloc[:, 0])
    assert bought["t_dat"].is_monotonic_increasing
    assert not bought["customer_id"].is_monotonic_increasing
