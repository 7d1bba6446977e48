"""Every competition: prepared files and scores equal those of the published benchmark, and the
shared checks hold. Expected values were made by the published code on the same synthetic data."""

from __future__ import annotations

import importlib
import json
import math
import zipfile
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue, LocatedCompetition, folder_name
from mlebench.checking import check_basics
from mlebench.definition import Rounding
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.grade import load_answers, round_score
from mlebench.grading.reading import parse_submission
from mlebench.preparing.prepare import prepare
from mlebench.utils import import_fn, read_csv
from mlebench.utils import load_answers as published_answers
from tests.competitions.trees import tree
from tests.fuzz.campaign import Target, odd_files

GOLDENS = Path(__file__).parent / "goldens"
IDS = sorted(file.stem for file in GOLDENS.glob("*.json"))
LARGE, MOST_ODD = 200_000, 1000
MANY_ROWS = {
    "AI4Code",
    "alaska2-image-steganalysis",
    "tabular-playground-series-may-2022",
    "vinbigdata-chest-xray-abnormalities-detection",
}
"""Their test parts have a fixed size, so that their rehearsal data is large, too."""

RECORDED_HALVES = {
    ("hotel-id-2021-fgvc8", "longer_lists"),
    ("3d-object-detection-for-autonomous-vehicles", "noisy_exact_thresholds"),
}
"""Scores halfway between two values, recorded with Python's rounding (docs: fidelity.md)."""


def test_every_competition_has_goldens() -> None:
    catalogue = Catalogue()
    assert sorted(catalogue.get_split("all") + catalogue.get_split("dev")) == IDS


@pytest.mark.parametrize(
    "competition_id",
    [pytest.param(id, marks=pytest.mark.long) if id in MANY_ROWS else id for id in IDS],
)
def test_competition(competition_id: str, tmp_path: Path) -> None:
    golden = json.loads((GOLDENS / f"{competition_id}.json").read_text("utf-8"))
    competition = prepared_from_archive(competition_id, tmp_path, golden)
    found = tree(
        competition.folder.prepared, golden["archives"], golden["tables"], golden["ignored"]
    )
    assert found == golden["files"]
    assert wrong_scores(competition, golden) == {}
    assert wrong_published_scores(competition, golden) == {}
    assert faults_on_odd_cells(competition) == {}
    assert [check for check in check_basics(competition) if check.state != "ok"] == []


def faults_on_odd_cells(competition: LocatedCompetition) -> dict[str, list[str]]:
    """Odd cells that raise or get no sentence: errors of ours that an agent could cause."""
    target = Target(competition)
    sample = competition.sample_submission.read_bytes()
    # A few files are large; their formats are those of smaller ones.
    files = islice(odd_files(sample), MOST_ODD if len(sample) < LARGE else 2)
    found = {name: target.problems(data) for name, data in files}
    return {name: problems for name, problems in found.items() if problems}


def prepared_from_archive(
    competition_id: str, root: Path, golden: dict[str, Any]
) -> LocatedCompetition:
    """Prepare from a zip file, as a user would."""
    competition = Catalogue(root / "data").get_competition(competition_id)
    made = root / "made"
    made.mkdir()
    competition.make_rehearsal(made, golden["seed"], golden["scale"])
    competition.folder.path.mkdir(parents=True)
    with zipfile.ZipFile(competition.folder.archive, "w") as archive:
        for file in sorted(made.rglob("*")):
            if file.is_file():
                archive.write(file, file.relative_to(made).as_posix())
    prepare(competition)
    return competition


def wrong_scores(competition: LocatedCompetition, golden: dict[str, Any]) -> dict[str, str]:
    module = importlib.import_module(
        f"tests.competitions.submissions.{folder_name(competition.id)}"
    )
    texts = module.submissions(competition.public_dir, competition.private_dir, golden["seed"])
    texts = {name: text.encode() for name, text in texts.items()}
    texts.setdefault("sample", competition.sample_submission.read_bytes())
    texts.setdefault("gold", competition.gold_submission.read_bytes())
    answers = load_answers(competition.answers)
    wrong = {}
    for name, expected in golden["scores"].items():
        score = score_of(texts[name], competition, answers)
        if not agrees(expected, score, rounding_of(competition, name)):
            wrong[name] = f"expected {expected}, got {score}"
    return wrong


def wrong_published_scores(
    competition: LocatedCompetition, golden: dict[str, Any]
) -> dict[str, str]:
    """The same by the function that importers of the published package call, on plain frames."""
    grade = import_fn(f"mlebench.competitions.{competition.id}.grade:grade")
    answers = published_answers(competition.answers)
    files = {"sample": competition.sample_submission, "gold": competition.gold_submission}
    wrong = {}
    for name in files.keys() & golden["scores"].keys():
        score: float | str = "invalid"
        with suppress(InvalidSubmissionError):
            score = float(grade(read_csv(files[name]), answers))
        if not agrees(golden["scores"][name], score, rounding_of(competition, name)):
            wrong[name] = f"expected {golden['scores'][name]}, got {score}"
    return wrong


def score_of(data: bytes, competition: LocatedCompetition, answers: Any) -> float | str:
    try:
        table = parse_submission(data, "submission.csv").table
        return competition.definition.score(table, answers).value
    except InvalidSubmissionError as error:
        assert str(error)
        return "invalid"


def agrees(expected: Any, score: float | str, rounding: Rounding) -> bool:
    """Whether all five digits are equal; no score where the published grader has none or a NaN."""
    if expected in ("invalid", "nan"):
        return score == "invalid"
    if expected == -math.inf:
        # The floor that stands for it.
        return isinstance(score, float) and score < -20
    return isinstance(score, float) and round_score(score, rounding) == expected


def rounding_of(competition: LocatedCompetition, name: str) -> Rounding:
    """The competition's own, but for two expected values that only Python's rounding makes."""
    is_half = (competition.id, name) in RECORDED_HALVES
    return "python" if is_half else competition.definition.rounding
