"""Small repairs of revision v1.1: files, headers and cells that v1 gets wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.grading.grade import Verdict
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.recipes.coco import decode_mixed
from tests.competitions.judging import verdict_on
from tests.competitions.test_revised_data import prepared, read

CHAII = "chaii-hindi-and-tamil-question-answering"
TWEETS = "tweet-sentiment-extraction"
CONTRAILS = "google-research-identify-contrails-reduce-global-warming"


def verdict(frame: pd.DataFrame, competition: LocatedCompetition) -> Verdict:
    return verdict_on(frame.to_csv(index=False).encode(), competition)


def prepared_from(
    raw: Callable[[Path], None], competition_id: str, root: Path, revision: str
) -> LocatedCompetition:
    """A competition prepared from rehearsal data that a function has changed."""
    competition = Catalogue(root, revision=revision).get_competition(competition_id)
    folder = competition.folder.raw
    if not folder.exists():
        folder.mkdir(parents=True)
        competition.make_rehearsal(folder, 1, 1)
        raw(folder)
    prepare(competition)
    return competition


def all_texts(column: str, word: str) -> Callable[[Path], None]:
    """Makes a column of the training table one word throughout."""

    def change(raw: Path) -> None:
        table = pd.read_csv(raw / "train.csv", dtype=str, keep_default_na=False)
        table.assign(**{column: word}).to_csv(raw / "train.csv", index=False)

    return change


@pytest.mark.parametrize(
    ("competition_id", "column", "word"),
    [(CHAII, "answer_text", "NA"), (CHAII, "answer_text", "12"), (TWEETS, "selected_text", "null")],
)
def test_a_word_for_a_missing_value_is_a_text(
    competition_id: str, column: str, word: str, tmp_path: Path
) -> None:
    """The word is the right answer of every row, so it scores 1, and an empty text 0."""
    found = {}
    for revision in ("v1", "v1.1"):
        competition = prepared_from(all_texts(column, word), competition_id, tmp_path, revision)
        name = competition.definition.submission.targets[0]
        sample = pd.read_csv(competition.sample_submission)
        found[revision] = verdict(sample.assign(**{name: word}), competition).score
    assert found["v1"] != 1
    assert found["v1.1"] == 1
    assert verdict(sample.assign(**{name: ""}), competition).score == 0


@pytest.mark.parametrize("language", ["english", "russian"])
def test_tokens_are_as_spelled(language: str, tmp_path: Path) -> None:
    """The rehearsal data has tokens such as NA, which v1 blanks."""
    short = language[:2]
    words = {"NA", "N/A", "null", "NULL", "nan", "NaN", "None"}
    competition_id = f"text-normalization-challenge-{language}-language"
    v1 = prepared(competition_id, tmp_path, revision="v1", scale=3)
    competition = prepared(competition_id, tmp_path, scale=3)
    tokens = read(competition, f"{short}_test_2.csv.zip")["before"]
    assert not words & {*read(v1, f"{short}_test_2.csv.zip")["before"]}
    assert words & {*tokens} and "" not in {*tokens}
    gold = pd.read_csv(competition.gold_submission, keep_default_na=False, dtype=str)
    assert verdict(gold, competition).score == 1
    is_word = gold["after"].isin(words)
    blanked = gold.assign(after=gold["after"].mask(is_word, ""))
    expected = round(1 - is_word.mean(), 5)
    assert verdict(blanked, competition).score == expected < 1


def test_header_lines_of_segments(tmp_path: Path) -> None:
    competition = prepared("mlsp-2013-birds", tmp_path, scale=1)
    folder = competition.public_dir / "supplemental_data"
    assert {file.name: file.read_text().split("\n")[0] for file in folder.glob("*.txt")} == {
        "histogram_of_segments.txt": "rec_id,[histogram of segment features]",
        "segment_features.txt": "rec_id,segment_id,[feature vector]",
        "segment_rectangles.txt": "rec_id,segment_id,min_x,max_x,min_y,max_y",
    }


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Carex", "Carex"),
        ("Garc\u00eda \u4e2d".encode(), "Garc\u00eda \u4e2d"),
        (b"M\xfcller", "M\u00fcller"),
        (b"Jos\xc3\xa9 and Ren\xe9 and M\xfc", "Jos\u00e9 and Ren\u00e9 and M\u00fc"),
    ],
)
def test_mixed_encodings(data: bytes, text: str) -> None:
    assert decode_mixed(data) == text


def test_names_of_plants(tmp_path: Path) -> None:
    """Rehearsal names have accented letters, which v1 splits in two."""
    texts = {}
    for revision in ("v1", "v1.1"):
        competition = prepared("herbarium-2020-fgvc7", tmp_path, revision=revision, scale=1)
        file = competition.public_dir / "nybg2020" / "train" / "metadata.json"
        texts[revision] = json.dumps(json.loads(file.read_bytes()), ensure_ascii=False)
    assert "\u00c3" in texts["v1"]
    assert "\u00c3" not in texts["v1.1"]


def test_contrails(tmp_path: Path) -> None:
    competition = prepared(CONTRAILS, tmp_path, scale=1)
    records = json.loads((competition.public_dir / "test_metadata.json").read_bytes())
    sample = pd.read_csv(competition.sample_submission, dtype=str)
    assert [record["record_id"] for record in records] == list(sample["record_id"])
    train = json.loads((competition.public_dir / "train_metadata.json").read_bytes())
    assert set(records[0]) == set(train[0])
    for runs in ("1 3 10", "1 3 10 5 12"):
        refused = verdict(
            sample.assign(encoded_pixels=[runs, *["-"] * (len(sample) - 1)]), competition
        )
        assert refused.score is None and refused.reason


@pytest.mark.parametrize(
    "competition_id", ["dogs-vs-cats-redux-kernels-edition", "random-acts-of-pizza"]
)
def test_nothing_is_there_twice(competition_id: str, tmp_path: Path) -> None:
    v1, revised = (prepared(competition_id, tmp_path, revision=r, scale=1) for r in ("v1", "v1.1"))
    assert len(list(v1.public_dir.glob("*.zip"))) == 2
    assert not list(revised.public_dir.glob("*.zip"))


def test_logs_of_each_part(tmp_path: Path) -> None:
    name = "3d-object-detection-for-autonomous-vehicles"
    competition = prepared(name, tmp_path, scale=1)
    for part in ("train", "test"):
        tables = competition.public_dir / f"{part}_data"
        logs = [log["token"] for log in json.loads((tables / "log.json").read_bytes())]
        assert json.loads((tables / "map.json").read_bytes())[0]["log_tokens"] == sorted(logs)


def test_a_page_without_characters(tmp_path: Path) -> None:
    def blank_all(raw: Path) -> None:
        table = pd.read_csv(raw / "train.csv", dtype=str, keep_default_na=False)
        table.loc[table.index[::2], "labels"] = ""
        table.to_csv(raw / "train.csv", index=False)

    competition = prepared_from(blank_all, "kuzushiji-recognition", tmp_path, "v1.1")
    gold = pd.read_csv(competition.gold_submission, keep_default_na=False)
    assert "" in {*gold["labels"]}
    assert verdict(gold, competition).score == 1


def test_sample_of_camera_traps(tmp_path: Path) -> None:
    competition = prepared("iwildcam-2019-fgvc6", tmp_path, scale=1)
    assert competition.sample_submission.read_text().startswith("Id,Category\n")
    assert "`Category`" in (competition.public_dir / "description.md").read_text()


def test_times_of_a_drive(tmp_path: Path) -> None:
    """A row with a time that the trip does not have is refused."""
    competition = prepared("smartphone-decimeter-2022", tmp_path, scale=1)
    gold = pd.read_csv(competition.gold_submission)
    assert verdict(gold, competition).score == 0
    shifted = gold.assign(UnixTimeMillis=gold["UnixTimeMillis"] + 1)
    assert verdict(shifted, competition).score is None


def test_steps_of_expiration(tmp_path: Path) -> None:
    competition = prepared("ventilator-pressure-prediction", tmp_path, scale=1)
    gold = pd.read_csv(competition.gold_submission)
    steps = pd.read_csv(competition.answers).set_index("id")["u_out"]
    unscored = gold["id"].map(steps) == 1
    assert unscored.any()
    found = verdict(gold.assign(pressure=gold["pressure"].mask(unscored)), competition)
    assert found.score is None


@pytest.mark.parametrize(("value", "score"), [(0, 0.0), (-1, None), (1.5, None)])
def test_likelihoods_of_cancer(value: float, score: float | None, tmp_path: Path) -> None:
    competition = prepared("rsna-breast-cancer-detection", tmp_path, scale=1)
    sample = pd.read_csv(competition.sample_submission)
    assert verdict(sample.assign(cancer=value), competition).score == score


def test_sums_of_prizes() -> None:
    """Sums of the single prizes that Kaggle's pages list."""
    catalogue = Catalogue(revision="v1.1")
    prizes = {
        "3d-object-detection-for-autonomous-vehicles": 12_000 + 8_000 + 5_000,
        "uw-madison-gi-tract-image-segmentation": 12_000 + 8_000 + 5_000,
        "vesuvius-challenge-ink-detection": 25_000 + 20_000 + 15_000 + 10_000 + 6 * 5_000,
    }
    for name, prize in prizes.items():
        assert catalogue.get_competition(name).definition.prize_usd == prize


def test_private_board_of_vesuvius(tmp_path: Path) -> None:
    """Medals follow the board that the user has downloaded."""
    competition = Catalogue(tmp_path, revision="v1.1").get_competition(
        "vesuvius-challenge-ink-detection"
    )
    assert competition.load_leaderboard().teams == 1250
    competition.folder.path.mkdir()
    scores = "\n".join(str(0.7 - k / 10_000) for k in range(1000))
    (competition.folder.path / "leaderboard.csv").write_text(f"score\n{scores}\n")
    board = competition.load_leaderboard()
    assert (board.teams, board.thresholds.medal(0.7)) == (1000, "gold")


@pytest.mark.parametrize(
    ("competition_id", "rows", "score"),
    [
        # Kaggle's own example: three equal outcomes, for which ln 3 is right.
        ("lmsys-chatbot-arena", 0.33, 1.09861),
        ("spooky-author-identification", 0.2, 1.09861),
        # ln 99 and ln 120.
        ("leaf-classification", 0.5, 4.59512),
        ("dog-breed-identification", 0.9, 4.78749),
    ],
)
def test_rows_are_rescaled(competition_id: str, rows: float, score: float, tmp_path: Path) -> None:
    competition = prepared(competition_id, tmp_path, scale=1)
    sample = pd.read_csv(competition.sample_submission)
    targets = list(competition.definition.submission.targets)
    assert verdict(sample.assign(**dict.fromkeys(targets, rows)), competition).score == score
    assert verdict(sample.assign(**dict.fromkeys(targets, 0)), competition).score is None
    assert verdict(sample.assign(**dict.fromkeys(targets, -rows)), competition).score is None


def test_popularity_beyond_a_hundred(tmp_path: Path) -> None:
    competition = prepared("petfinder-pawpularity-score", tmp_path, scale=1)
    gold = pd.read_csv(competition.gold_submission)
    shifted = gold.assign(Pawpularity=gold["Pawpularity"] + 250)
    assert verdict(shifted, competition).score == 250


@pytest.mark.parametrize(
    ("competition_id", "cell"),
    [
        ("paddy-disease-classification", ""),
        ("plant-seedlings-classification", ""),
        ("whale-categorization-playground", ""),
        ("herbarium-2020-fgvc7", "1.5"),
        ("herbarium-2021-fgvc8", "1.5"),
        ("herbarium-2022-fgvc9", "1.5"),
        ("h-and-m-personalized-fashion-recommendations", "shoes"),
    ],
)
def test_cells_that_v1_grades_are_refused(competition_id: str, cell: str, tmp_path: Path) -> None:
    competition = prepared(competition_id, tmp_path, scale=1)
    gold = pd.read_csv(competition.gold_submission, dtype=str)
    assert verdict(gold, competition).score == 1
    gold.iloc[0, -1] = cell
    found = verdict(gold, competition)
    assert found.score is None and found.reason and repr(gold.columns[-1]) in found.reason


@pytest.mark.parametrize(
    "competition_id", ["h-and-m-personalized-fashion-recommendations", "imet-2020-fgvc7"]
)
def test_lists_of_one_item_are_lists(competition_id: str, tmp_path: Path) -> None:
    """pandas reads a column of single numbers as numbers, and one with a gap as floats."""
    competition = prepared(competition_id, tmp_path, scale=1)
    gold = pd.read_csv(competition.gold_submission, dtype=str)
    target = gold.columns[-1]
    short = gold.assign(**{target: gold[target].str.split().str[0]})
    whole = verdict(short, competition).score
    assert whole
    short.iloc[0, -1] = ""
    with_gap = verdict(short, competition).score
    assert with_gap is not None and 0 < with_gap <= whole


def test_recordings_have_one_row(tmp_path: Path) -> None:
    competition = prepared("hms-harmful-brain-activity-classification", tmp_path, scale=1)
    gold = pd.read_csv(competition.gold_submission)
    assert gold["eeg_id"].is_unique
    assert verdict(gold[::-1], competition).score == 0
    test = pd.read_csv(competition.public_dir / "test.csv")
    assert list(test["eeg_id"]) == list(gold["eeg_id"].sort_values())
    assert "eeg_label_offset_seconds" in test.columns


@pytest.mark.parametrize(
    ("competition_id", "targets"),
    [(CONTRAILS, "encoded_pixels"), ("petfinder-pawpularity-score", "Pawpularity")],
)
def test_guesses_of_the_sample_are_drawn_by_id(
    competition_id: str, targets: str, tmp_path: Path
) -> None:
    """The guesses of v1 in the order of the split become those of v1.1 in the order of ids."""
    v1 = Catalogue(tmp_path).get_competition(competition_id)
    revised = prepared(competition_id, tmp_path, scale=1)
    prepare(v1, Rehearsal())
    first, second = (pd.read_csv(c.sample_submission, dtype=str) for c in (v1, revised))
    assert list(first[targets]) == list(second[targets])
    assert (
        second.iloc[:, 0].is_monotonic_increasing and not first.iloc[:, 0].is_monotonic_increasing
    )


def test_records_of_camera_traps_are_in_the_order_of_their_ids(tmp_path: Path) -> None:
    """Also a table whose column is spelled `id` where the sample has `Id`."""
    table = pd.read_csv(prepared("iwildcam-2019-fgvc6", tmp_path, scale=1).public_dir / "test.csv")
    assert table["id"].is_monotonic_increasing
    public = prepared("iwildcam-2020-fgvc7", tmp_path, scale=1).public_dir
    records = json.loads((public / "iwildcam2020_test_information.json").read_bytes())["images"]
    ids = [record["id"] for record in records]
    assert ids == sorted(ids)


def test_every_molecule_has_its_base_pairs(tmp_path: Path) -> None:
    public = prepared("stanford-covid-vaccine", tmp_path, scale=1).public_dir
    ids = [
        json.loads(line)["id"]
        for name in ("train.json", "test.json")
        for line in (public / name).read_text("utf-8").splitlines()
    ]
    assert {file.stem for file in (public / "bpps").iterdir()} == set(ids)
