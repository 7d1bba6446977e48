"""Rows that depend on each other count together in the standard error of a score."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mlebench.catalogue import Catalogue
from mlebench.formats.clusters import Clusters, before_first, before_last
from mlebench.grading.grade import load_answers
from mlebench.metrics import mean_absolute_error, mean_weighted_log_loss
from mlebench.metrics.spread import clustered_error, standard_error
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.tables import read_table

DECLARED = {
    "champs-scalar-coupling": ("molecule_name", None),
    "denoising-dirty-documents": ("id", lambda name: name.split("_")[0]),
    "hms-harmful-brain-activity-classification": ("patient_id", None),
    "mlsp-2013-birds": ("Id", lambda name: name[:-2]),
    "movie-review-sentiment-analysis-kernels-only": ("SentenceId", None),
    "nfl-player-contact-detection": ("game_play", None),
    "osic-pulmonary-fibrosis-progression": ("Patient", None),
    "ranzcr-clip-catheter-line-classification": ("PatientID", None),
    "rsna-breast-cancer-detection": ("prediction_id", lambda name: name.split("_")[0]),
    "siim-isic-melanoma-classification": ("patient_id", None),
    "stanford-covid-vaccine": ("id_seqpos", lambda name: name.rpartition("_")[0]),
    "text-normalization-challenge-english-language": ("id", lambda name: name.split("_")[0]),
    "text-normalization-challenge-russian-language": ("id", lambda name: name.split("_")[0]),
    "the-icml-2013-whale-challenge-right-whale-redux": (
        "clip",
        lambda name: "_".join(name.split("_")[:2]),
    ),
    "ventilator-pressure-prediction": ("breath_id", None),
}
"""The column of the answers that names the clusters, and what a cell tells."""

QUICK = {"osic-pulmonary-fibrosis-progression", "ventilator-pressure-prediction"}


def test_the_error_is_that_of_a_bootstrap_of_clusters() -> None:
    random = np.random.default_rng(3)
    sizes = random.integers(5, 40, size=80)
    codes = np.repeat(np.arange(80), sizes)
    truth = random.normal(size=len(codes))
    predicted = truth + random.normal(size=80)[codes] + 0.3 * random.normal(size=len(codes))
    measured = mean_absolute_error.measure(truth, predicted)
    found = clustered_error(measured, codes, unit="page")
    members = [np.flatnonzero(codes == code) for code in range(80)]
    scores = []
    for _ in range(2000):
        drawn = np.concatenate([members[code] for code in random.integers(80, size=80)])
        scores.append(mean_absolute_error(truth[drawn], predicted[drawn]))
    assert found.value == pytest.approx(np.std(scores, ddof=1), rel=0.1)
    assert (found.units, found.unit) == (80, "page")
    by_row = standard_error(mean_absolute_error, truth, predicted, measured=measured, seed=0)
    assert by_row.value and found.value and found.value > 2 * by_row.value


def test_rows_alone_are_clusters_of_one() -> None:
    random = np.random.default_rng(4)
    truth, predicted = random.normal(size=(2, 50))
    measured = mean_absolute_error.measure(truth, predicted)
    one = clustered_error(measured, np.arange(50), unit="row")
    other = standard_error(mean_absolute_error, truth, predicted, measured=measured, seed=0)
    assert one.value == pytest.approx(other.value)


def test_what_cannot_be_known_has_a_reason() -> None:
    measured = mean_absolute_error.measure(np.arange(3.0), np.zeros(3))
    assert "1 page" in str(clustered_error(measured, np.zeros(3, int), unit="page").reason)
    assert "assigned" in str(clustered_error(measured, np.zeros(4, int), unit="page").reason)


def test_a_mean_over_studies_counts_studies() -> None:
    """Two studies of two rows: the losses are -ln 0.5 and -ln 0.9, and the error is by hand."""
    truth = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=float)
    predicted = np.array([0.5, 0.5, 0.9, 0.1])
    measured = mean_weighted_log_loss.measure(truth, predicted)
    found = standard_error(mean_weighted_log_loss, truth, predicted, measured=measured, seed=0)
    losses = -np.log([0.5, 0.9])
    assert measured.score == pytest.approx(losses.mean())
    assert (found.units, found.unit) == (2, "study")
    assert found.value == pytest.approx(abs(losses[0] - losses[1]) / 2)


def test_names_of_clusters() -> None:
    answers = pd.DataFrame({"id": ["14_1_1", "2_1_1", "14_2_1", "2"]})
    assert Clusters("page", "id", before_first("_")).codes(answers).tolist() == [0, 1, 0, 1]
    assert Clusters("row", "id", before_last("_")).codes(answers).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("key", [None, before_first("_")])
def test_rows_without_a_name_are_one_cluster(key: Callable[[pd.Series], Any] | None) -> None:
    answers = pd.DataFrame({"id": ["a_1", None, "b_1", None]})
    assert Clusters("page", "id", key).codes(answers).tolist() == [0, 1, 2, 1]


def test_declared_clusters() -> None:
    ids = {
        name
        for name in Catalogue().get_split("all") + Catalogue().get_split("dev")
        for revision in ("v1", "v1.1")
        if Catalogue(revision=revision).get_competition(name).definition.clusters
    }
    assert ids == DECLARED.keys()


@pytest.mark.parametrize(
    "competition_id",
    [pytest.param(name, marks=[pytest.mark.long] * (name not in QUICK)) for name in DECLARED],
)
def test_errors_count_the_clusters_of_the_scored_rows(competition_id: str, tmp_path: Path) -> None:
    competition = Catalogue(tmp_path, revision="v1.1").get_competition(competition_id)
    prepare(competition, Rehearsal(seed=1))
    definition, column = competition.definition, DECLARED[competition_id]
    answers = load_answers(competition.answers, definition.texts)
    gold = read_table(competition.gold_submission)
    scored = answers
    if competition_id.startswith("osic"):
        scored = answers[answers["FVC"].notna()]
    if competition_id.startswith("ventilator"):
        scored = answers[answers["u_out"] == 0]
    names = scored[column[0]].astype(str)
    count = len(set(names if column[1] is None else map(column[1], names)))
    error = definition.score(gold, answers).error
    assert error and definition.clusters
    found = error(0)
    assert (found.units, found.unit) == (count, definition.clusters.unit), found
