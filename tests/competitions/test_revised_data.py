"""Revision v1.1: what the prepared files of some competitions contain, and what they keep apart."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.preparing.prepare import Rehearsal, prepare
from tests.competitions.judging import verdict_on

QUESTION = ["question_title", "question_body"]
TSV = "movie-review-sentiment-analysis-kernels-only"
GROUPS = {
    "siim-isic-melanoma-classification": ("train.csv", "test.csv", ["patient_id"]),
    "hms-harmful-brain-activity-classification": ("train.csv", "test.csv", ["patient_id"]),
    "ranzcr-clip-catheter-line-classification": (
        "train.csv",
        "../private/test.csv",
        ["PatientID"],
    ),
    TSV: ("train.tsv.zip", "test.tsv.zip", ["SentenceId"]),
    "google-quest-challenge": ("train.csv", "test.csv", QUESTION),
    "facebook-recruiting-iii-keyword-extraction": ("train.csv", "test.csv", ["Title", "Body"]),
    "jigsaw-toxic-comment-classification-challenge": ("train.csv", "test.csv", ["comment_text"]),
}


def prepared(
    competition_id: str, root: Path, *, revision: str = "v1.1", scale: int = 2
) -> LocatedCompetition:
    competition = Catalogue(root, revision=revision).get_competition(competition_id)
    prepare(competition, Rehearsal(seed=1, scale=scale))
    return competition


def read(competition: LocatedCompetition, name: str) -> pd.DataFrame:
    sep = "\t" if ".tsv" in name else ","
    return pd.read_csv(competition.public_dir / name, sep=sep, keep_default_na=False)


@pytest.mark.parametrize("competition_id", GROUPS)
def test_groups_are_apart(competition_id: str, tmp_path: Path) -> None:
    *files, columns = GROUPS[competition_id]
    competition = prepared(competition_id, tmp_path)
    train, test = (
        set(read(competition, str(name))[columns].itertuples(index=False, name=None))
        for name in files
    )
    assert train and test
    assert train.isdisjoint(test)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_sentences_are_apart(language: str, tmp_path: Path) -> None:
    name = {"en": "english", "ru": "russian"}[language]
    competition_id = f"text-normalization-challenge-{name}-language"
    for revision in ("v1", "v1.1"):
        competition = prepared(competition_id, tmp_path, revision=revision, scale=6)
        train, test = (
            list(read(competition, f"{language}_{part}.csv.zip").groupby("sentence_id")["before"])
            for part in ("train", "test_2")
        )
        known = {tuple(tokens) for _, tokens in train}
        shared = [tokens for _, tokens in test if tuple(tokens) in known]
        # Short English sentences of the rehearsal data repeat, so that v1 shows the fault.
        assert bool(shared) is (revision == "v1" and language == "en")
    assert len({tuple(tokens) for _, tokens in test}) == len(test) > 20


def test_classes_of_speech(tmp_path: Path) -> None:
    competition = prepared("tensorflow-speech-recognition-challenge", tmp_path, scale=4)
    labels = pd.read_csv(competition.answers)["label"]
    known = {"yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"}
    assert known & set(labels) and set(labels) - known == {"silence", "unknown"}
    # As many of all other words together as of one of the ten.
    counts = labels[labels.isin(known)].value_counts()
    assert (labels == "unknown").sum() == round(counts.mean())
    assert (labels == "silence").sum() == 6
    # Half of each recording of noise is left for train: 32 of 64 samples of two bytes.
    noise = list((competition.public_dir / "train/audio/_background_noise_").iterdir())
    assert [file.stat().st_size for file in noise] == [44 + 64] * 6


def test_cervical_spine_is_exchanged(tmp_path: Path) -> None:
    name = "rsna-2022-cervical-spine-fracture-detection"
    v1, revised = (prepared(name, tmp_path, revision=r) for r in ("v1", "v1.1"))
    train, test = (
        {*read(revised, f"{part}.csv")["StudyInstanceUID"]} for part in ("train", "test")
    )
    assert test == {*read(v1, "train.csv")["StudyInstanceUID"]}
    assert train == {*read(v1, "test.csv")["StudyInstanceUID"]}
    assert {*read(revised, "train_bounding_boxes.csv")["StudyInstanceUID"]} <= train


def test_geometry_of_test_molecules(tmp_path: Path) -> None:
    competition = prepared("champs-scalar-coupling", tmp_path)
    test = {*read(competition, "test.csv")["molecule_name"]}
    assert test <= {*read(competition, "structures.csv")["molecule_name"]}
    assert test <= {file.stem for file in (competition.public_dir / "structures").iterdir()}
    for name in ("dipole_moments.csv", "mulliken_charges.csv", "potential_energy.csv"):
        assert test.isdisjoint(read(competition, name)["molecule_name"])


def test_week_of_purchases(tmp_path: Path) -> None:
    competition = prepared("h-and-m-personalized-fashion-recommendations", tmp_path)
    train = pd.read_csv(competition.public_dir / "transactions_train.csv", dtype=str)
    # The rehearsal data ends on 22 September.
    assert date.fromisoformat(train["t_dat"].max()) == date(2020, 9, 15)
    answers = pd.read_csv(competition.answers, dtype=str)["prediction"].str.split()
    assert all(len(set(articles)) == len(articles) for articles in answers)
    assert {len(article) for articles in answers for article in articles} == {10}
    assert set(train["article_id"].str.len()) == {10}
    gold = competition.gold_submission.read_text()
    for text in (gold, re.sub(r"\b0(\d{9})\b", r"\1", gold)):
        assert verdict_on(text.encode(), competition).score == 1


def test_depths_of_test_images(tmp_path: Path) -> None:
    competition = prepared("tgs-salt-identification-challenge", tmp_path)
    known = {*read(competition, "depths.csv")["id"]}
    assert {*read(competition, "sample_submission.csv")["id"]} <= known


def test_rides_are_plausible(tmp_path: Path) -> None:
    competition = prepared("new-york-city-taxi-fare-prediction", tmp_path, scale=1)
    rides = pd.read_csv(competition.answers)
    assert 8000 < len(rides) < 9914
    assert rides["fare_amount"].between(2.5, 500).all()
    assert rides["dropoff_latitude"].between(40.5, 41.8).all()
    assert (competition.public_dir / "train.csv").is_file()


def test_speech_is_split_by_utterance() -> None:
    import numpy as np

    from mlebench.competitions.ml2021spring_hw2.revision import draw_utterances, find_starts

    draw = np.random.RandomState(3)
    rows = []
    for length in (7, 20, 13):
        frames = draw.normal(size=(length, 39)).astype(np.float32)
        window = np.clip(np.arange(length)[:, None] + np.arange(-5, 6), 0, length - 1)
        rows.append(frames[window].reshape(length, -1))
    windows = np.concatenate(rows)
    assert find_starts(windows).tolist() == [0, 7, 27]
    is_test = draw_utterances(windows, 10)
    assert [is_test[a:b].mean() for a, b in ((0, 7), (7, 27), (27, 40))].count(0) >= 1
    assert set(is_test[:7]) | set(is_test[7:27]) | set(is_test[27:]) == {True, False}
    assert all(len(set(is_test[a:b])) == 1 for a, b in ((0, 7), (7, 27), (27, 40)))
