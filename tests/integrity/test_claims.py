"""Validation scores that runs state, and what they can be compared with."""

from __future__ import annotations

import pytest

from mlebench.integrity.claims import best_of, comparable, find_claims
from mlebench.integrity.evidence import Passage


def values(text: str) -> list[float]:
    data = text.encode()
    return [claim.value for claim in find_claims([Passage("output", "x", 0, data, len(data))])]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("holdout: 0.61", 0.61),
        ("mean accuracy over folds 0.63", 0.63),
        ("best cv so far 0.58", 0.58),
        ("roc_auc (5-fold): 0.5233", 0.5233),
        ("Validation accuracy 56%", 0.56),
        ("cross-validated score -> 0.5301", 0.5301),
        ("fold 3: 0.93210", 0.9321),
        ("first validation score: -0.25", -0.25),
    ],
)
def test_a_score_is_stated(text: str, value: float) -> None:
    assert values(f"epoch 1\n{text}\nbye") == [value]


@pytest.mark.parametrize(
    "text",
    [
        "0.2 of the rows are for validation",
        "epoch 3 loss 0.44",
        "validation\n0.97",
        "KFold(5, shuffle=True)",
    ],
)
def test_other_numbers_are_no_claims(text: str) -> None:
    assert values(text) == []


def test_only_claims_of_the_same_metric_are_compared() -> None:
    text = b"val accuracy: 0.97\nval logloss: 0.31\nneg log loss, 5-fold: -0.25\nCV score: 0.4\n"
    found = find_claims([Passage("output", "x", 0, text, len(text))])
    loss = comparable(found, "multi_class_log_loss", is_lower_better=True)
    assert loss == [0.31, 0.25, 0.4]
    assert best_of(loss, is_lower_better=True) == 0.25
    assert comparable(found, "accuracy", is_lower_better=False) == [0.97, 0.4]
    assert best_of([], is_lower_better=True) is None


def test_a_flood_of_words_is_read_in_part() -> None:
    assert len(values("fold 1: 0.5\n" * 20_000)) == 3000
