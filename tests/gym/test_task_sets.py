"""Sets of tasks for training."""

from __future__ import annotations

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UnknownNameError
from mlebench.gym.task_sets import curriculum, family_of, list_rl_tasks, rl_split_of

TOGETHER = [
    ["herbarium-2020-fgvc7", "herbarium-2021-fgvc8", "herbarium-2022-fgvc9"],
    ["iwildcam-2019-fgvc6", "iwildcam-2020-fgvc7"],
    [
        "jigsaw-toxic-comment-classification-challenge",
        "jigsaw-unintended-bias-in-toxicity-classification",
    ],
    ["plant-pathology-2020-fgvc7", "plant-pathology-2021-fgvc8"],
    [
        "text-normalization-challenge-english-language",
        "text-normalization-challenge-russian-language",
    ],
]


def test_splits_are_disjoint_by_competition_and_family() -> None:
    train, test = list_rl_tasks("rl-train"), list_rl_tasks("rl-test")
    assert sorted([*train, *test]) == Catalogue().list_competition_ids()
    assert set(map(family_of, train)).isdisjoint(map(family_of, test))
    assert 10 <= len(test) <= 26
    assert all(name in train for name in train if name.startswith("starter-"))
    assert not [name for name in test if name.startswith("starter-")]


@pytest.mark.parametrize("family", TOGETHER)
def test_families_of_the_specification(family: list[str]) -> None:
    assert len({rl_split_of(name) for name in family}) == 1


def test_unknown_split() -> None:
    with pytest.raises(UnknownNameError, match="rl-train or rl-test"):
        list_rl_tasks("rl-dev")


def test_curriculum_facts() -> None:
    facts = {entry["id"]: entry for entry in curriculum()}
    assert len(facts) == 86
    taxi = facts["new-york-city-taxi-fare-prediction"]
    assert taxi["sample_score"] == 10.02927 and taxi["dataset_gb"] == 5.7
    assert taxi["is_lower_better"] and taxi["category"] == "Tabular"
    assert all(entry["why_no_holdout"] == "" for entry in facts.values())
