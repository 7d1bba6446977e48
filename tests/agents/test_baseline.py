"""The baseline agent on small folders of every layout that it claims to understand."""

from __future__ import annotations

import ast
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from threadpoolctl import threadpool_limits

from mlebench.agents.baseline import models
from mlebench.agents.baseline.fallback import copy_sample, find_sample
from mlebench.agents.baseline.files import look
from mlebench.agents.baseline.improve import improve
from mlebench.catalogue import PACKAGE
from tests.agents.conftest import Play

AGENT = PACKAGE / "agents" / "baseline"
TRAIN, TEST = 120, 40


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two folds, and one thread as in the program itself, where threads would only wait."""
    monkeypatch.setattr(models, "FOLDS", 2)
    with threadpool_limits(1):
        yield


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def solve(data: Path, seconds: float = 40) -> pd.DataFrame:
    """The submission as text, after the checks that hold for every layout."""
    out = data.parent / "submission.csv"
    files = look(data, data.parent / "scratch")
    copy_sample(files, out)
    sample = find_sample(files)
    before = pd.read_csv(sample.place, dtype=str, keep_default_na=False) if sample else None
    improve(files, out, seconds=seconds, seed=0)
    after = pd.read_csv(out, dtype=str, keep_default_na=False)
    if before is not None:
        assert list(after.columns) == list(before.columns)
        assert after[after.columns[0]].tolist() == before[before.columns[0]].tolist()
    return after


def draw(count: int, seed: int) -> pd.DataFrame:
    """Rows whose class and number follow from two of the columns."""
    random = np.random.RandomState(seed)
    frame = pd.DataFrame(
        {
            "id": [f"row_{seed}_{k}" for k in range(count)],
            "width": random.normal(size=count),
            "colour": random.choice(["red", "green", "blue"], count),
            "when": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(random.randint(0, 900, count), "D"),
        }
    )
    return frame.assign(signal=frame["width"] + (frame["colour"] == "red"))


def write(frame: pd.DataFrame, path: Path, **options: str) -> None:
    frame.to_csv(path, index=False, **options)


def tables(data: Path, target: str, train_values: object, sample_value: object) -> pd.DataFrame:
    train, test = draw(TRAIN, 1), draw(TEST, 2)
    write(train.assign(**{target: train_values}).drop(columns="signal"), data / "train.csv")
    write(test.drop(columns="signal"), data / "test.csv")
    write(test[["id"]].assign(**{target: sample_value}), data / "sample_submission.csv")
    return test


def test_regression(data: Path) -> None:
    test = tables(data, "size", 10 * draw(TRAIN, 1)["signal"] + 50, 0.0)
    predicted = solve(data)["size"].astype(float)
    assert np.corrcoef(predicted, test["signal"])[0, 1] > 0.95


def test_yes_or_no_as_words(data: Path) -> None:
    test = tables(data, "large", draw(TRAIN, 1)["signal"] > 0.3, False)
    predicted = solve(data)["large"]
    assert set(predicted) == {"True", "False"}
    assert ((predicted == "True") == (test["signal"] > 0.3)).mean() > 0.85


def test_probability_when_the_sample_has_one(data: Path) -> None:
    test = tables(data, "large", (draw(TRAIN, 1)["signal"] > 0.3).astype(int), 0.5)
    predicted = solve(data)["large"].astype(float)
    assert predicted.between(0, 1).all() and predicted.nunique() > 10
    assert ((predicted > 0.5) == (test["signal"] > 0.3)).mean() > 0.85


def test_probability_when_the_description_asks_for_it(data: Path) -> None:
    tables(data, "large", (draw(TRAIN, 1)["signal"] > 0.3).astype(int), 0)
    (data / "description.md").write_text("Submissions are scored by the area under the curve.")
    assert solve(data)["large"].astype(float).nunique() > 10


def test_true_and_false_become_numbers_where_the_sample_has_numbers(data: Path) -> None:
    tables(data, "large", draw(TRAIN, 1)["signal"] > 0.3, 0)
    assert set(solve(data)["large"]) == {"0", "1"}


def test_ordered_scale_stays_on_the_scale(data: Path) -> None:
    grades = pd.cut(draw(TRAIN, 1)["signal"], 5, labels=[1, 2, 3, 4, 5])
    tables(data, "grade", grades, 3)
    (data / "description.md").write_text("The metric is the quadratic weighted kappa.")
    assert set(solve(data)["grade"]) <= {"1", "2", "3", "4", "5"}


def test_a_column_per_class(data: Path) -> None:
    train, test = draw(TRAIN, 1), draw(TEST, 2)
    kinds = np.where(train["signal"] > 0.3, "long", "short")
    write(train.assign(kind=kinds).drop(columns="signal"), data / "train.csv")
    write(test.drop(columns="signal"), data / "test.csv")
    write(test[["id"]].assign(long=0.3, short=0.3, unseen=0.4), data / "sampleSubmission.csv")
    shares = solve(data)[["long", "short", "unseen"]].astype(float)
    assert np.allclose(shares.sum(axis=1), 1)
    assert ((shares["long"] > shares["short"]) == (test["signal"] > 0.3)).mean() > 0.85


def test_several_yes_or_no_questions(data: Path) -> None:
    train, test = draw(TRAIN, 1), draw(TEST, 2)
    flags = {"wide": (train["width"] > 0) * 1, "red": (train["colour"] == "red") * 1}
    write(train.assign(**flags).drop(columns="signal"), data / "train.csv")
    write(test.drop(columns="signal"), data / "test.csv")
    write(test[["id"]].assign(wide=0.5, red=0.5), data / "sample_submission.csv")
    predicted = solve(data)
    assert ((predicted["red"].astype(float) > 0.5) == (test["colour"] == "red")).mean() > 0.9
    assert ((predicted["wide"].astype(float) > 0.5) == (test["width"] > 0)).mean() > 0.85


def sentences(count: int, seed: int) -> tuple[list[str], list[str]]:
    random = np.random.RandomState(seed)
    moods = random.choice(["glad", "sad"], count).tolist()
    filler = ["the", "day", "was", "long", "and", "we", "went", "home"]
    words = {"glad": ["sunny", "great", "lovely"], "sad": ["rainy", "awful", "gloomy"]}
    texts = [" ".join([*random.choice(filler, 6), random.choice(words[m])]) for m in moods]
    return texts, moods


def test_text_in_tab_separated_files_inside_zips(data: Path) -> None:
    train_texts, train_moods = sentences(TRAIN, 1)
    test_texts, test_moods = sentences(TEST, 2)
    train = pd.DataFrame({"PhraseId": range(TRAIN), "Phrase": train_texts, "Mood": train_moods})
    test = pd.DataFrame({"PhraseId": range(TRAIN, TRAIN + TEST), "Phrase": test_texts})
    for name, frame in (("train", train), ("test", test)):
        with zipfile.ZipFile(data / f"{name}.tsv.zip", "w") as archive:
            archive.writestr(f"{name}.tsv", frame.to_csv(index=False, sep="\t"))
    write(test[["PhraseId"]].assign(Mood="glad"), data / "sampleSubmission.csv")
    assert (solve(data)["Mood"] == test_moods).mean() > 0.95


@pytest.mark.parametrize("lines", [False, True])
def test_json_tables(data: Path, lines: bool) -> None:
    train, test = draw(TRAIN, 1), draw(TEST, 2)
    labelled = train.assign(large=train["signal"] > 0.3).drop(columns=["signal", "when"])
    open_rows = test.drop(columns=["signal", "when"])
    for name, frame in (("train", labelled), ("test", open_rows)):
        records = frame.to_dict("records")
        text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
        (data / f"{name}.{'jsonl' if lines else 'json'}").write_text(text)
    write(test[["id"]].assign(large=0), data / "sample_submission.csv")
    predicted = solve(data)["large"]
    assert ((predicted == "1") == (test["signal"] > 0.3)).mean() > 0.8


def picture(is_bright_left: bool, seed: int) -> bytes:
    random = np.random.RandomState(seed)
    pixels = random.randint(0, 120, (20, 20)).astype("uint8")
    half = slice(0, 10) if is_bright_left else slice(10, 20)
    pixels[:, half] += 100
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def folder_of_pictures(data: Path, part: str, pictures: dict[str, bytes]) -> None:
    (data / part).mkdir()
    for name, content in pictures.items():
        (data / part / name).write_bytes(content)


def zip_of_pictures(data: Path, part: str, pictures: dict[str, bytes]) -> None:
    with zipfile.ZipFile(data / f"{part}.zip", "w") as archive:
        for name, content in pictures.items():
            archive.writestr(f"{part}/{name}", content)


@pytest.mark.parametrize("store", [folder_of_pictures, zip_of_pictures])
@pytest.mark.parametrize("ending", ["", ".png"])
def test_pictures_named_after_the_id(
    data: Path, store: Callable[[Path, str, dict[str, bytes]], None], ending: str
) -> None:
    sides = np.random.RandomState(0).choice(["left", "right"], 90)
    names = [f"p{k:03d}" for k in range(90)]
    pictures = {
        f"{n}.png": picture(s == "left", k)
        for k, (n, s) in enumerate(zip(names, sides, strict=True))
    }
    store(data, "train", dict(list(pictures.items())[:60]))
    store(data, "test", dict(list(pictures.items())[60:]))
    ids = [name + ending for name in names]
    write(pd.DataFrame({"image": ids[:60], "side": sides[:60]}), data / "train_labels.csv")
    write(pd.DataFrame({"image": ids[60:], "side": "left"}), data / "sample_submission.csv")
    assert (solve(data)["side"].to_numpy() == sides[60:]).mean() > 0.9


def test_one_folder_of_pictures_per_class(data: Path) -> None:
    for side in ("left", "right"):
        (data / "train" / side).mkdir(parents=True)
        for k in range(25):
            (data / "train" / side / f"{side[0]}{k}.png").write_bytes(picture(side == "left", k))
    sides = ["left", "right"] * 8
    folder_of_pictures(
        data, "test", {f"t{k}.png": picture(s == "left", 99 + k) for k, s in enumerate(sides)}
    )
    rows = pd.DataFrame({"file": [f"t{k}.png" for k in range(16)], "species": "left"})
    write(rows, data / "sample_submission.csv")
    assert (solve(data)["species"].to_numpy() == sides).mean() > 0.9


def test_classes_in_file_names_where_a_probability_is_asked_for(data: Path) -> None:
    train = {f"{s}.{k}.png": picture(s == "left", k) for s in ("left", "right") for k in range(25)}
    zip_of_pictures(data, "train", train)
    sides = ["left", "right"] * 8
    zip_of_pictures(
        data, "test", {f"{k}.png": picture(s == "left", k) for k, s in enumerate(sides)}
    )
    write(pd.DataFrame({"id": range(16), "label": 0.5}), data / "sample_submission.csv")
    is_right = solve(data)["label"].astype(float) > 0.5
    assert (is_right == [side == "right" for side in sides]).mean() > 0.9


def test_best_five_classes(data: Path) -> None:
    train, test = draw(TRAIN, 1), draw(TEST, 2)
    homes = [f"h{k % 7}" for k in range(TRAIN)]
    write(train.assign(home=homes), data / "train.csv")
    write(test.drop(columns="signal"), data / "test.csv")
    write(test[["id"]].assign(home="h1 h2 h3 h4 h5"), data / "sample_submission.csv")
    for cell in solve(data)["home"]:
        assert len(set(cell.split())) == 5 and set(cell.split()) <= set(homes)


def test_part_of_a_text_is_the_whole_text(data: Path) -> None:
    texts, _ = sentences(TRAIN, 1)
    test_texts, _ = sentences(TEST, 2)
    train = pd.DataFrame({"id": range(TRAIN), "text": texts, "part": [t[:-5] for t in texts]})
    write(train, data / "train.csv")
    write(pd.DataFrame({"id": range(TEST), "text": test_texts}), data / "test.csv")
    write(pd.DataFrame({"id": range(TEST), "part": ""}), data / "sample_submission.csv")
    assert solve(data)["part"].tolist() == test_texts


@pytest.mark.parametrize(
    "cells", [["1 3 10 5", "7 2 40 1 60 9", ""], [f"InChI=1S/C{k}H{k}" for k in range(3)]]
)
def test_what_it_does_not_know_stays_as_the_sample(data: Path, cells: list[str]) -> None:
    train = pd.DataFrame({"id": range(90), "mask": [f"{c}{k}" for k, c in enumerate(cells * 30)]})
    write(train, data / "train.csv")
    write(pd.DataFrame({"id": [91, 92], "mask": "1 1"}), data / "sample_submission.csv")
    assert solve(data)["mask"].tolist() == ["1 1", "1 1"]


def test_without_a_sample_the_tables_tell_the_columns(data: Path) -> None:
    tables(data, "size", draw(TRAIN, 1)["signal"], 0.0)
    (data / "sample_submission.csv").unlink()
    assert list(solve(data).columns) == ["id", "size"]


def test_ids_keep_their_spelling(data: Path) -> None:
    sample = pd.DataFrame({"id": ["007", "1e5", "NA"], "value": 0.5})
    write(sample, data / "sample_submission.csv")
    write(pd.DataFrame({"id": ["001", "002"] * 20, "value": [1.5, 2.5] * 20}), data / "train.csv")
    assert solve(data)["id"].tolist() == ["007", "1e5", "NA"]


def run(data: Path, out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mlebench.agents.baseline"]
    command += ["--data", str(data), "--out", str(out), *words]
    return subprocess.run(command, capture_output=True, text=True)


def test_broken_training_data_leaves_the_sample(data: Path, tmp_path: Path) -> None:
    write(pd.DataFrame({"id": [1, 2], "value": 0.5}), data / "sample_submission.csv")
    (data / "train.csv").write_bytes(b"\x00\xff\xfe" * 1000)
    (data / "train.json").write_text("{]")
    (data / "images.zip").write_bytes(b"PK no zip")
    out = tmp_path / "made" / "submission.csv"
    done = run(data, out)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == (data / "sample_submission.csv").read_bytes()


def test_time_is_kept_and_a_submission_is_there(data: Path, tmp_path: Path) -> None:
    tables(data, "size", draw(TRAIN, 1)["signal"], 0.0)
    done = run(data, tmp_path / "submission.csv", "--seconds", "0.3")
    assert done.returncode == 0, done.stderr
    assert "stopped after 0.3 s" in done.stdout
    assert len(pd.read_csv(tmp_path / "submission.csv")) == TEST


def test_nothing_to_go_by_is_said(data: Path, tmp_path: Path) -> None:
    done = run(data, tmp_path / "submission.csv")
    assert done.returncode == 1
    assert "no submission could be written" in done.stdout
    assert "Traceback" not in done.stderr


def test_missing_folder_is_a_usage_error(tmp_path: Path) -> None:
    done = run(tmp_path / "nowhere", tmp_path / "submission.csv")
    assert done.returncode == 2
    assert "does not exist" in done.stderr


def test_runs_alone_from_a_copied_folder(data: Path, tmp_path: Path) -> None:
    """As in a sandbox: the folder under another name, started by its own script."""
    tables(data, "size", draw(TRAIN, 1)["signal"], 0.0)
    shutil.copytree(AGENT, tmp_path / "agent", ignore=shutil.ignore_patterns("__pycache__"))
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHON": sys.executable,
        "BASELINE_DATA": str(data),
        "BASELINE_OUT": str(tmp_path / "submission.csv"),
        "MLEBENCH_SECONDS": "60",
    }
    done = subprocess.run(
        ["bash", "start.sh"],
        cwd=tmp_path / "agent",
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "held-out" in done.stdout
    assert pd.read_csv(tmp_path / "submission.csv")["size"].nunique() > 10


def test_imports_nothing_else_of_ours() -> None:
    """It must run where this package is not installed."""
    for file in AGENT.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level <= 1, file
                names = [node.module or ""] if node.level == 0 else []
            assert not [name for name in names if name.startswith("mlebench")], file


@pytest.mark.long
def test_runs_in_a_sandbox(play: Play) -> None:
    run, folder = play("baseline", "starter-wine", seconds=15)
    assert (run.state, run.blame) == ("finished", None), folder.agent_log.read_text()
    assert run.score is not None
    assert run.score < 0.5
