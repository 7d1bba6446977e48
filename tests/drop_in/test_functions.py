"""The published functions, each with what its callers expect of it."""

from __future__ import annotations

import io
import json
import logging
import math
import re
import struct
from pathlib import Path

import numpy as np
import pandas as pd
import py7zr
import pytest

from mlebench import data, grade, metrics, utils
from mlebench.competitions import utils as competition_utils
from mlebench.errors import DataError
from mlebench.grade_helpers import InvalidSubmissionError
from mlebench.registry import Competition, Registry, registry


def test_a_submission_that_is_none(titanic: Competition, tmp_path: Path) -> None:
    text = titanic.sample_submission.read_text()
    (tmp_path / "submission.txt").write_text(text)
    (tmp_path / "SUBMISSION.CSV").write_text(text)
    (tmp_path / "folder.csv").mkdir()
    for name in ("submission.txt", "missing.csv", "folder.csv"):
        report = grade.grade_csv(tmp_path / name, titanic)
        assert (report.submission_exists, report.valid_submission, report.score) == (
            False,
            False,
            None,
        )
        assert grade.validate_submission(tmp_path / name, titanic)[0] is False
    assert grade.grade_csv(tmp_path / "SUBMISSION.CSV", titanic).valid_submission
    assert grade.grade_csv(str(tmp_path / "SUBMISSION.CSV"), titanic).submission_exists


def test_data_that_is_not_prepared_is_a_value_error(tmp_path: Path) -> None:
    competition = Registry(tmp_path).get_competition("spaceship-titanic")
    (tmp_path / "x.csv").write_text("x\n")
    with pytest.raises(ValueError, match="not prepared"):
        grade.grade_csv(tmp_path / "x.csv", competition)
    with pytest.raises(ValueError, match="not prepared"):
        grade.validate_submission(tmp_path / "x.csv", competition)


def test_validate_submission(titanic: Competition, tmp_path: Path) -> None:
    assert grade.validate_submission(titanic.sample_submission, titanic) == (
        True,
        "Submission is valid.",
    )
    bad = tmp_path / "bad.csv"
    bad.write_text("PassengerId\n1\n")
    for file in (bad, tmp_path / "none.csv"):
        valid, message = grade.validate_submission(file, titanic)
        assert valid is False
        assert message.startswith("Submission invalid! ")
    assert message.endswith("! none.csv does not exist or is not a file")


def test_an_invalid_submission_is_logged(
    titanic: Competition, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "bad.csv").write_text("x\n1\n")
    grade.grade_csv(tmp_path / "bad.csv", titanic)
    assert any(message.startswith("Invalid submission: ") for message in caplog.messages)


def test_aggregate_reports(titanic: Competition, tmp_path: Path) -> None:
    reports = [
        grade.grade_csv(path, titanic)
        for path in (titanic.gold_submission, titanic.sample_submission, tmp_path / "none.csv")
    ]
    summary = grade.aggregate_reports(reports)
    assert summary["total_runs"] == 3
    assert summary["total_runs_with_submissions"] == summary["total_valid_submissions"] == 2
    assert summary["total_medals"] == summary["total_gold_medals"] == 1
    assert summary["competition_reports"][0]["score"] == 1.0
    assert grade.DEFAULT_REGISTRY is registry


def test_prepared_folders(tmp_path: Path) -> None:
    competition = Registry(tmp_path).get_competition("spaceship-titanic")
    assert not data.is_dataset_prepared(competition)
    data.create_prepared_dir(competition)
    data.create_prepared_dir(competition)
    assert competition.public_dir.is_dir()
    assert competition.private_dir.is_dir()
    assert not data.is_dataset_prepared(competition, grading_only=True)
    competition.answers.write_text("x\n")
    assert data.is_dataset_prepared(competition, grading_only=True)
    assert not data.is_dataset_prepared(competition)
    competition.sample_submission.write_text("x\n")
    assert data.is_dataset_prepared(competition)


@pytest.mark.parametrize(
    ("function", "is_valid"),
    [
        (lambda raw, public, private: None, True),
        (lambda raw, public: None, False),
        (lambda a, b, c: None, False),
        ("no function", False),
    ],
)
def test_is_valid_prepare_fn(function: object, is_valid: bool) -> None:
    assert data.is_valid_prepare_fn(function) is is_valid


def test_get_logger_gives_the_root_logger_a_handler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    logger = utils.get_logger("drop-in", level=logging.WARNING, filename=tmp_path / "log")
    assert logger is utils.get_logger("drop-in", level=logging.WARNING, filename=tmp_path / "log")
    assert isinstance(logging.getLogger().handlers[0], logging.StreamHandler)
    logger.warning("once")
    text = (tmp_path / "log").read_text()
    assert text.endswith("] once\n")
    assert text.count("once") == 1


def test_run_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    uuid = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    in_group = utils.create_run_dir("my-id", "my-agent", "my-group")
    assert in_group.parent == utils.get_runs_dir() / "my-group" == tmp_path / "runs" / "my-group"
    assert re.fullmatch(f"my-id_{uuid}", in_group.name)
    alone = utils.create_run_dir("my-id", "my-agent")
    assert alone.parent == tmp_path / "runs"
    time = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-GMT"
    assert re.fullmatch(rf"{time}_my-id_my-agent_[0-9a-f]{{8}}", alone.name)
    assert re.fullmatch(time, utils.get_timestamp())
    assert in_group.is_dir()
    assert alone.is_dir()


@pytest.mark.parametrize("suffix", [".zip", ".7z"])
def test_compress_and_extract(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / "source"
    (source / "inner").mkdir(parents=True)
    (source / "inner" / "a.txt").write_text("a")
    packed = tmp_path / f"packed{suffix}"
    utils.compress(source, packed)
    assert utils.is_compressed(packed)
    assert py7zr.is_7zfile(packed) is (suffix == ".7z")
    with pytest.raises(FileExistsError):
        utils.compress(source, packed)
    (source / "b.txt").write_text("b")
    utils.compress(source, packed, exist_ok=True)
    utils.extract(compressed=packed, dst=tmp_path / "out")
    assert (tmp_path / "out" / "inner" / "a.txt").read_text() == "a"
    assert (tmp_path / "out" / "b.txt").read_text() == "b"


def test_extract_recursively(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.txt").write_text("a")
    (tmp_path / "outer").mkdir()
    utils.compress(source, tmp_path / "outer" / "inner.zip")
    utils.compress(tmp_path / "outer", tmp_path / "outer.zip")
    utils.extract(tmp_path / "outer.zip", tmp_path / "flat")
    assert not list((tmp_path / "flat").rglob("a.txt"))
    utils.extract(tmp_path / "outer.zip", tmp_path / "deep", recursive=True)
    assert [file.read_text() for file in (tmp_path / "deep").rglob("a.txt")] == ["a"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.zip", True), ("a.tar.gz", True), ("a.7z", True), ("a.csv", False), ("zip", False)],
)
def test_is_compressed(name: str, expected: bool) -> None:
    assert utils.is_compressed(Path(name)) is expected


def test_read_csv(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("")
    assert utils.read_csv(tmp_path / "empty.csv").empty
    frame = utils.read_csv(io.StringIO("x,y\n0.1234567890123456789,a\n"))
    assert frame["x"][0] == 0.1234567890123456789
    assert list(utils.read_csv(io.StringIO("x,y\n1,2\n"), usecols=["y"]).columns) == ["y"]


def test_answers_and_json_lines(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n0.1\n")
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n# {"a": 2}\n// {"a": 3}\n\n{"a": 4}\n')
    assert utils.load_answers(tmp_path / "a.csv")["x"].tolist() == [0.1]
    lines = utils.read_jsonl(tmp_path / "a.jsonl", skip_commented_out_lines=True)
    assert lines == [{"a": 1}, {"a": 4}]
    with pytest.raises(json.JSONDecodeError):
        utils.read_jsonl(str(tmp_path / "a.jsonl"))
    (tmp_path / "b.jsonl").write_text('{"a": 1}\n')
    assert utils.load_answers(tmp_path / "b.jsonl") == [{"a": 1}]


def test_small_helpers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for value, expected in (("true", True), ("false", False), ("", False)):
        monkeypatch.setenv("GITHUB_ACTIONS", value)
        assert utils.in_ci() is expected
    assert utils.import_fn("json:loads") is json.loads
    assert utils.get_path_to_callable(json.loads) == Path(json.__file__)
    assert utils.get_diff({"a": 1}, {"a": 1}) == ""
    diff = utils.get_diff({"a": 1, "b": 2}, {"a": 1, "b": 3}, fromfile="mine", tofile="theirs")
    assert diff.splitlines()[:2] == ["--- mine", "+++ theirs"]
    assert {"-b: 2", "+b: 3"} <= set(diff.splitlines())
    assert utils.purple("hi") == "\033[1;35mhi\033[0m"
    assert utils.is_empty(tmp_path)
    assert utils.get_module_dir().parent == utils.get_repo_dir()


def test_mean_average_precision() -> None:
    precision = metrics.average_precision_at_k
    assert precision({"a", "b"}, ["a", "x", "b"], 3) == pytest.approx((1 + 2 / 3) / 2)
    assert precision({"a"}, ["a", "a"], 2) == 1
    assert precision({"a", "b"}, ["a", "a"], 2) == 0.5
    assert precision(set(), ["a"], 5) == 0
    assert precision({"a", "b", "c"}, ["a"], 1) == 1
    assert precision({"a"}, ["x", "a"], 1) == 0
    mean = metrics.mean_average_precision_at_k([{"a"}, {"b"}], [["a"], ["x", "b"]], k=2)
    assert mean == pytest.approx((1 + 0.5) / 2)


def test_dice_coefficient() -> None:
    one, other = np.array([[1, 1], [0, 0]]), np.array([[1, 0], [1, 0]])
    assert metrics.dice_coefficient(one, other) == 0.5
    empty = np.zeros((2, 2))
    assert math.isnan(metrics.dice_coefficient(empty, empty))
    assert metrics.dice_coefficient(empty, empty, both_empty_value=1.0) == 1.0
    assert metrics.dice_coefficient(one, empty) == 0


ANSWERS = pd.DataFrame({"id": [1, 2, 3], "y": ["a", "b", "c"]})


def test_accuracy_inputs_are_in_the_order_of_the_ids() -> None:
    submission = pd.DataFrame({"id": [3, 1, 2], "y": ["z", "x", "y"]})
    found = competition_utils.prepare_for_accuracy_metric(
        submission=submission, answers=ANSWERS, target_column="y", id_column="id"
    )
    assert found["y_true"].tolist() == ["a", "b", "c"]
    assert found["y_pred"].tolist() == ["x", "y", "z"]


@pytest.mark.parametrize(
    "submission",
    [
        pd.DataFrame({"id": [1, 2], "y": ["a", "b"]}),
        pd.DataFrame({"id": [1, 2, 4], "y": ["a", "b", "c"]}),
        pd.DataFrame({"id": [1, 2, 3]}),
        pd.DataFrame({"id": [1, "2", 3], "y": ["a", "b", "c"]}),
    ],
)
def test_wrong_ids_and_columns_are_invalid(submission: pd.DataFrame) -> None:
    with pytest.raises(InvalidSubmissionError):
        competition_utils.prepare_for_accuracy_metric(submission, ANSWERS, "y", "id")


def test_auroc_inputs() -> None:
    answers = pd.DataFrame({"id": ["a", "b"], "p": [0, 1]})
    submission = pd.DataFrame({"id": ["b", "a"], "p": [0.75, 0.25]})
    found = competition_utils.prepare_for_auroc_metric(submission, answers, "id", "p")
    assert found["y_true"].tolist() == [0, 1]
    assert found["y_score"].tolist() == [0.25, 0.75]
    for bad in ([0.5, 1.5], [-0.1, 0.5], [0.5, None], ["x", "y"]):
        with pytest.raises(InvalidSubmissionError):
            competition_utils.prepare_for_auroc_metric(
                submission.assign(p=bad), answers, id_col="id", target_col="p"
            )


def test_one_hot() -> None:
    one_hot = competition_utils.df_to_one_hot(ANSWERS, "id", "y", classes=["c", "b", "a"])
    assert list(one_hot.columns) == ["id", "c", "b", "a"]
    assert one_hot[["c", "b", "a"]].to_numpy().tolist() == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert competition_utils.is_one_hot_encoded(one_hot[["c", "b", "a"]].to_numpy())
    assert not competition_utils.is_one_hot_encoded(np.array([[0.5, 0.5]]))
    assert not competition_utils.is_one_hot_encoded(np.array([[1, 1]]))
    with pytest.raises(InvalidSubmissionError):
        competition_utils.df_to_one_hot(ANSWERS, "id", "y", classes=["a", "b"])


def test_log_loss_inputs() -> None:
    answers = pd.DataFrame({"id": [1, 2], "a": [1, 0], "b": [0, 1]})
    submission = pd.DataFrame({"b": [0.0, 1.0], "a": [2.0, 1.0], "id": [2, 1]})
    inputs = competition_utils.one_hot_dfs_to_log_loss_inputs
    found = inputs(submission, answers, id_column="id", apply_softmax=False)
    assert found["y_true"].tolist() == [[1, 0], [0, 1]]
    assert found["y_pred"].tolist() == [[1.0, 1.0], [2.0, 0.0]]
    share = math.exp(2) / (math.exp(2) + 1)
    expected = [[0.5, 0.5], [share, 1 - share]]
    assert inputs(submission, answers)["y_pred"] == pytest.approx(np.array(expected))
    assert inputs(answers, answers)["y_pred"].tolist() == [[1, 0], [0, 1]]
    for bad in (submission.drop(columns="a"), submission.assign(c=0), submission.assign(id=[1, 3])):
        with pytest.raises(InvalidSubmissionError):
            inputs(bad, answers)


def test_run_lengths() -> None:
    mask = np.array([[0, 1, 0], [1, 1, 0]])
    # Column by column from 1: pixels 2, 3 and 4.
    assert competition_utils.rle_encode(mask) == [2, 3]
    assert competition_utils.rle_encode(mask, fg_val=0) == [1, 1, 5, 2]
    assert competition_utils.rle_decode("2 3", height=2, width=3).tolist() == mask.tolist()
    text = " ".join(map(str, competition_utils.rle_encode(mask)))
    assert competition_utils.rle_decode(text, 2, 3).tolist() == mask.tolist()
    assert not competition_utils.rle_decode("", 2, 3).any()
    masks = competition_utils.rles_to_masks(["1 1", ""], 2, 3)
    assert [int(mask.sum()) for mask in masks] == [1, 0]


@pytest.mark.parametrize("text", ["3 1 1 1", "0 2", "1 0", "-1 2", "1 3 2 1", "1", "a b"])
def test_run_lengths_that_are_wrong(text: str) -> None:
    with pytest.raises(InvalidSubmissionError):
        competition_utils.rle_decode(text, 2, 3)


def test_ids_of_a_tfrecord_file(tmp_path: Path) -> None:
    def field(number: int, content: bytes) -> bytes:
        return bytes([number << 3 | 2, len(content)]) + content

    def record(name: str, value: str) -> bytes:
        feature = field(1, field(1, value.encode()))
        entry = field(1, name.encode()) + field(2, feature)
        example = field(1, field(1, entry))
        return struct.pack("<Q", len(example)) + b"\0" * 4 + example + b"\0" * 4

    file = tmp_path / "train00.tfrec"
    file.write_bytes(record("image_name", "ISIC_1") + record("image_name", "ISIC_2"))
    assert competition_utils.get_ids_from_tf_records(file) == ["ISIC_1", "ISIC_2"]
    file.write_bytes(record("id", "x"))
    assert competition_utils.get_ids_from_tf_records(file, id_feature="id") == ["x"]
    with pytest.raises(DataError):
        competition_utils.get_ids_from_tf_records(file)
